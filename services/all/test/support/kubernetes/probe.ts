import { setTimeout as sleep } from 'node:timers/promises'
import type { Container, Probe } from '../chart/manifests.js'

export type ProbeName = 'startupProbe' | 'livenessProbe' | 'readinessProbe'

/** Why a probe fails; undefined if it succeeds. */
export type Failure = string | undefined

/**
 * Probes a container at this address as the kubelet does. Yields the result each time that there were as many equal ones
 * in a row as its threshold, until aborted.
 */
export async function* probe(
  container: Container,
  name: ProbeName,
  host: string,
  signal: AbortSignal,
): AsyncGenerator<Failure> {
  const probe = container[name]
  if (!probe) throw new Error(`there is no ${name}`)
  const { periodSeconds = 10, timeoutSeconds = 1, failureThreshold = 3 } = probe
  const url = urlOf(probe, container, host)
  let successes = 0
  let failures = 0
  while (!signal.aborted) {
    const failure = await get(url, timeoutSeconds * 1000)
    successes = failure ? 0 : successes + 1
    failures = failure ? failures + 1 : 0
    if (successes === (probe.successThreshold ?? 1)) yield undefined
    if (failures === failureThreshold) {
      yield `${name}: GET ${url} failed ${failures} times: ${failure}`
    }
    await sleep(periodSeconds * 1000, undefined, { signal }).catch(() => {})
  }
}

function urlOf({ httpGet }: Probe, { ports = [] }: Container, host: string): string {
  if (!httpGet) throw new Error('only probes with httpGet are implemented')
  const port = ports.find(({ name }) => name === httpGet.port)?.containerPort
  if (!port) throw new Error(`there is no port ${httpGet.port}, which a probe names`)
  return `http://${host}:${port}${httpGet.path}`
}

async function get(url: string, timeoutMs: number): Promise<Failure> {
  try {
    // The kubelet opens a connection for each probe.
    const headers = { connection: 'close' }
    const signal = AbortSignal.timeout(timeoutMs)
    const { status, body } = await fetch(url, { headers, signal, redirect: 'manual' })
    await body?.cancel()
    return status >= 200 && status < 400 ? undefined : `status ${status}`
  } catch (error) {
    const { cause, message } = error as Error & { cause?: { code?: string } }
    return cause?.code ?? message
  }
}
