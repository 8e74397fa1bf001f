import { setTimeout as sleep } from 'node:timers/promises'
import type { Container } from '../chart/manifests.js'

/** A probe with the defaults of Kubernetes. */
export type Probe = {
  name: string
  url: string
  periodMs: number
  timeoutMs: number
  failureThreshold: number
  successThreshold: number
}

/** Reads the probe of a container at this address. */
export function probeOf(
  container: Container,
  name: 'startupProbe' | 'livenessProbe' | 'readinessProbe',
  host: string,
): Probe {
  const { httpGet, periodSeconds = 10, timeoutSeconds = 1, ...given } = container[name] ?? {}
  if (!httpGet) throw new Error(`there is no ${name} with httpGet`)
  const port = container.ports?.find((one) => one.name === httpGet.port)?.containerPort
  if (!port) throw new Error(`${name} names an unknown port: ${httpGet.port}`)
  return {
    name,
    url: `http://${host}:${port}${httpGet.path}`,
    periodMs: periodSeconds * 1000,
    timeoutMs: timeoutSeconds * 1000,
    failureThreshold: given.failureThreshold ?? 3,
    successThreshold: given.successThreshold ?? 1,
  }
}

/**
 * Probes as the kubelet does. Yields each time that there were as many equal results in a row as their threshold: why the
 * probe failed, or undefined if it succeeded.
 */
export async function* resultsOf(
  probe: Probe,
  signal: AbortSignal,
): AsyncGenerator<string | undefined> {
  let successes = 0
  let failures = 0
  while (!signal.aborted) {
    const why = await whyFailed(probe)
    successes = why ? 0 : successes + 1
    failures = why ? failures + 1 : 0
    if (successes === probe.successThreshold) yield undefined
    if (failures === probe.failureThreshold) {
      yield `${probe.name}: GET ${probe.url} failed ${failures} times: ${why}`
    }
    await sleep(probe.periodMs, undefined, { signal }).catch(() => {})
  }
}

async function whyFailed({ url, timeoutMs }: Probe): Promise<string | undefined> {
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
