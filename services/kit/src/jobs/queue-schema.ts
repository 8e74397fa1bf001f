/**
 * One queue a database, whichever services share it. The library announces its migrations on a
 * channel of the whole database: with a queue a service, one service's first start would stop the
 * workers of all others.
 */
export const queueSchema = 'jobs'
