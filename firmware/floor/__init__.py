"""Several tables: each publishes its state over MQTT, and a floor page shows them all.

None of this runs unless it is switched on, and no table ever waits for it. A table publishes only
what everybody at it may see.
"""
