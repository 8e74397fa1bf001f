/** SQL for the first key of the advisory locks that processes take while they stage uploads. */
export const processLockClass = `hashtext('figbase revisions upload')`
