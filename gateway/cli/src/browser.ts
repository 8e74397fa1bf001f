import { once } from 'node:events'
import open from 'open'
import { note } from './output.js'

/** A machine without a browser is no failure: the address is printed anyway. */
export async function openBrowser(url: string): Promise<void> {
  try {
    const child = await open(url)
    const timeout = AbortSignal.timeout(openMsMax)
    const [code] = await once(child, 'exit', { signal: timeout }).catch(() => [0])
    if (code) note('There is no browser here. Open this address:')
  } catch {
    note('There is no browser here. Open this address:')
  }
}

/** The program that opens a browser may be the browser. */
const openMsMax = 2000
