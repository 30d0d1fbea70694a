"""The devices: the camera, the panel of three lit buttons, the voice, and how they are wired.

This is the only package that touches devices; it knows nothing about cards or games. Drivers
that exist only on a Raspberry Pi (``picamera2``, ``lgpio``) are imported when a device is
opened. Everywhere else a folder of pictures, a film or a function stands in for the camera, and
gpiozero's mock pins for the buttons and lamps, so the same code runs without a Pi.
"""
