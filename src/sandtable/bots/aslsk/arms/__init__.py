"""What Guns, vehicles and shells are worth and do on average, whoever asks (6.0, 7.0)."""
