"""Several tables: each publishes by MQTT how it stands, and a floor page follows them all.

Nothing of it runs unless it is switched on, and no table ever waits for it. What is published is
what everybody at the table may see.
"""
