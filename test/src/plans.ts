import { setTimeout as pause } from 'node:timers/promises'

/** Waits until all replicas know about storage limits: they cache for a second that there are none. */
export const storageLimitsSeen = () => pause(1100)
