/** Kills this process and its children: a graceful exit would wait for work that cannot be interrupted. */
export const killSelf = (): boolean => process.kill(-process.pid, 'SIGKILL')
