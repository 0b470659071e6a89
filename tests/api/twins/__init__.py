"""The law of twins: two campaigns that differ in one secret are the same to whoever may not know it, try as he may."""
