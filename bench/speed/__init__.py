"""Speed and size; most figures are ratios to a baseline measured in the same run."""
