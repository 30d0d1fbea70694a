"""The appliance: carries frames to the reader, acts to the rules, and prompts to the panel."""
