import { setTimeout as pause } from 'node:timers/promises'

/** Ends when each replica knows that some plan limits storage: that none does, it remembers for a second. */
export const storageLimitsSeen = () => pause(1100)
