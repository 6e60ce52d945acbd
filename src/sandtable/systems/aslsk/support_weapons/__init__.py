"""Support weapons (4): ordnance that is carried, Panzerfausts, charges, smoke, backblast, breakdown and recovery."""
