import { setTimeout as sleep } from 'node:timers/promises'
import type { Container } from '../chart/manifests.js'

export type ProbeName = 'startupProbe' | 'livenessProbe' | 'readinessProbe'

/** A probe with the defaults of Kubernetes. */
export type HttpProbe = {
  url: string
  initialDelayMs: number
  periodMs: number
  timeoutMs: number
  failureThreshold: number
  successThreshold: number
}

type GivenProbe = {
  httpGet?: { path?: string; port: string | number; host?: string; scheme?: string }
  initialDelaySeconds?: number
  periodSeconds?: number
  timeoutSeconds?: number
  failureThreshold?: number
  successThreshold?: number
}

/** The probe of a container in the pod with this address; undefined if there is none. */
export function probeOf(container: Container, name: ProbeName, ip: string): HttpProbe | undefined {
  const given = container[name] as GivenProbe | undefined
  if (!given) return undefined
  const { httpGet } = given
  if (!httpGet) throw new Error(`container ${container.name}: ${name} is not of HTTP`)
  const port =
    typeof httpGet.port === 'number'
      ? httpGet.port
      : container.ports?.find((one) => one.name === httpGet.port)?.containerPort
  if (port === undefined) {
    throw new Error(`container ${container.name}: ${name} names no port: ${httpGet.port}`)
  }
  const scheme = (httpGet.scheme ?? 'HTTP').toLowerCase()
  return {
    url: `${scheme}://${httpGet.host ?? ip}:${port}${httpGet.path ?? '/'}`,
    initialDelayMs: (given.initialDelaySeconds ?? 0) * 1000,
    periodMs: (given.periodSeconds ?? 10) * 1000,
    timeoutMs: (given.timeoutSeconds ?? 1) * 1000,
    failureThreshold: given.failureThreshold ?? 3,
    successThreshold: given.successThreshold ?? 1,
  }
}

/** Undefined if the probe succeeds, otherwise why it fails. */
export async function whyProbeFails({ url, timeoutMs }: HttpProbe): Promise<string | undefined> {
  try {
    const signal = AbortSignal.timeout(timeoutMs)
    const { status, body } = await fetch(url, { signal, redirect: 'manual' })
    await body?.cancel()
    return status >= 200 && status < 400 ? undefined : `status ${status}`
  } catch (error) {
    const { cause, message } = error as Error & { cause?: { code?: string } }
    return cause?.code ?? message
  }
}

/** Reports each change of the result, after as many equal results in a row as the thresholds demand, until aborted. */
export async function probeRepeatedly(
  probe: HttpProbe,
  signal: AbortSignal,
  report: (isSuccess: boolean, why?: string) => void,
): Promise<void> {
  let successes = 0
  let failures = 0
  try {
    await sleep(probe.initialDelayMs, undefined, { signal })
    while (!signal.aborted) {
      const why = await whyProbeFails(probe)
      if (signal.aborted) return
      successes = why === undefined ? successes + 1 : 0
      failures = why === undefined ? 0 : failures + 1
      if (successes === probe.successThreshold) report(true)
      if (failures === probe.failureThreshold) {
        report(false, `GET ${probe.url} failed ${failures} times: ${why}`)
      }
      await sleep(probe.periodMs, undefined, { signal })
    }
  } catch (error) {
    if (!signal.aborted) throw error
  }
}
