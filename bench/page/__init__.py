"""The pages in a real browser: Lighthouse's scores, a throttled phone, and screenshots to look at."""
