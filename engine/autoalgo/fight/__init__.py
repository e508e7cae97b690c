"""One deployed war, and the kernel of its battles: the ruling and those of forecasts."""
