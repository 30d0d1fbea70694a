// The link to the device: requests, and a socket that reconnects by itself.

export class Refused extends Error {
  constructor(status, why, says) {
    super(says || why);
    Object.assign(this, { status, why, says });
  }
}

async function answered(promise) {
  let response;
  try {
    response = await promise;
  } catch {
    throw new Refused(0, "line", "");
  }
  const value = await response.json().catch(() => ({}));
  if (response.ok) return value;
  const refused = new Refused(response.status, value.refused ?? "error", value.says ?? "");
  if (refused.why === "signed-out") dispatchEvent(new Event("signed-out"));
  throw refused;
}

export const get = (path) => answered(fetch(path, { credentials: "same-origin" }));

export const post = (path, value = {}) =>
  answered(
    fetch(path, {
      method: "POST",
      credentials: "same-origin",
      headers: { "Content-Type": "application/json" },
      body: JSON.stringify(value),
    }),
  );

const FIRST_WAIT = 400; // milliseconds until the first retry; a restart takes about a second
const LONGEST_WAIT = 5000;
const SIGNED_OUT = 4401;
const SLEPT = 5000; // hidden for longer, a page may have lost its connection without noticing

// Keeps the newest message of each kind and passes it to whoever listens.
export class Live extends EventTarget {
  #socket;
  #wait = FIRST_WAIT;
  #timer;
  newest = {};
  connected = false;
  open = false;
  #hiddenAt = 0;

  constructor() {
    super();
    document.addEventListener("visibilitychange", () => this.#woken());
    addEventListener("online", () => this.#anew());
  }

  start() {
    this.open = true;
    this.#connect();
  }

  // A telephone that slept holds a dead connection, and shows what was long ago.
  #woken() {
    if (document.hidden) this.#hiddenAt = Date.now();
    else if (Date.now() - this.#hiddenAt > SLEPT) this.#anew();
  }

  #anew() {
    if (!this.open) return;
    const old = this.#socket;
    this.#wait = FIRST_WAIT;
    this.#connect();
    old?.close();
  }

  stop() {
    this.open = false;
    clearTimeout(this.#timer);
    this.#socket?.close();
    this.newest = {};
  }

  send(message) {
    if (this.#socket?.readyState !== WebSocket.OPEN) return false;
    this.#socket.send(JSON.stringify(message));
    return true;
  }

  #connect() {
    clearTimeout(this.#timer);
    const socket = new WebSocket(`ws://${location.host}/api/live`);
    this.#socket = socket;
    socket.onopen = () => this.#state(true);
    socket.onmessage = (event) => this.#heard(JSON.parse(event.data));
    socket.onclose = (event) => {
      if (socket === this.#socket) this.#lost(event.code);
    };
  }

  #heard(message) {
    this.#wait = FIRST_WAIT;
    this.newest[message.kind] = message;
    this.dispatchEvent(new CustomEvent(message.kind, { detail: message }));
  }

  #lost(code) {
    this.#state(false);
    if (!this.open) return;
    if (code === SIGNED_OUT) {
      dispatchEvent(new Event("signed-out"));
      return;
    }
    this.#timer = setTimeout(() => this.#again(), this.#wait);
    this.#wait = Math.min(LONGEST_WAIT, this.#wait * 1.6);
  }

  // A refused socket looks like a lost one: ask whether we are still signed in.
  async #again() {
    try {
      await get("/api/me");
    } catch (error) {
      if (error.why === "signed-out") return;
    }
    if (this.open) this.#connect();
  }

  #state(connected) {
    this.connected = connected;
    this.dispatchEvent(new Event("line"));
  }
}
