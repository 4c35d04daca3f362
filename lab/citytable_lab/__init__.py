"""The lab: where sensing is proven. It draws traces, scores detectors and draws pictures; the hub runs without it."""
