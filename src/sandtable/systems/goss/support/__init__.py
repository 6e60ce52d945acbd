"""10-11 Fire Support: how much may fire, in how many volleys, with which DRMs, and when guns run dry."""
