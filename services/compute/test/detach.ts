import { readdirSync, readFileSync } from 'node:fs'

/** Python that starts a process which left its session, group, parent and environment, and ignores signals. */
export const detach = (word: string): string => `
import signal
for number in (signal.SIGTERM, signal.SIGHUP, signal.SIGINT): signal.signal(number, signal.SIG_IGN)
if os.fork() == 0:
    os.setsid()
    if os.fork() == 0:
        os.closerange(0, 256)
        os.execve('/usr/bin/sleep', ['${word}', '3600'], {})
    os._exit(0)
os.wait()
report('detached')`

/** The ids of processes of this machine that were started under a name. */
export const withWord = (word: string): string[] =>
  readdirSync('/proc').filter((pid) => {
    try {
      return /^\d+$/.test(pid) && readFileSync(`/proc/${pid}/cmdline`, 'utf8').startsWith(word)
    } catch {
      return false
    }
  })
