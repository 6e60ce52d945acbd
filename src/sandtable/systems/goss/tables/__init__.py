"""The charts of the pack, read and checked: values and look-ups, no state and no map.

``charts`` reads all of them at once; each other module is one chart or group of charts with the rules that read it.
"""
