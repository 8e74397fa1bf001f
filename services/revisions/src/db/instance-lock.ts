/** SQL for the first key of the advisory locks that processes hold while they stage uploads. */
export const instanceLockClass = `hashtext('figbase revisions upload')`
