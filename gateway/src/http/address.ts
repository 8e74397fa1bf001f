import type { IncomingMessage } from 'node:http'
import type { EnvReader, Logger } from '@figbase/kit'
import proxyAddress from 'proxy-addr'

/**
 * Reads where a client is: behind those of the `proxies` that it came through. That a proxy is not among
 * them is logged once, since all who come through it count as one address then.
 */
export function createAddressReader(
  proxies: string[],
  log: Logger,
): (req: IncomingMessage) => string {
  const trust = proxyAddress.compile(proxies)
  let isTold = false
  return (req) => {
    const { remoteAddress = '' } = req.socket
    if (!isTold && req.headers['x-forwarded-for'] !== undefined && !trust(remoteAddress, 0)) {
      isTold = true
      log.warn(
        { proxy: remoteAddress },
        'X-Forwarded-For is not believed: if this is your proxy, name it in TRUSTED_PROXIES',
      )
    }
    return proxyAddress(req, trust)
  }
}

export function readTrustedProxies(env: EnvReader): string[] {
  const about = 'the proxies (addresses or networks) whose X-Forwarded-For is believed'
  const proxies = env.list('TRUSTED_PROXIES', about)
  try {
    proxyAddress.compile(proxies)
  } catch {
    env.malformed('TRUSTED_PROXIES', proxies.join(','), about, '10.0.0.0/8, 192.168.1.1')
  }
  return proxies
}
