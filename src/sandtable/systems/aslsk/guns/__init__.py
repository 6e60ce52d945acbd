"""6 Guns and 3.2.4 To Hit for them and for the Main Armament of vehicles."""
