import type { Html } from '@figbase/kit/text'
import { html } from '@figbase/kit/text'
import { type Instance, Lifecycle, type Tier } from '@figbase/proto/compute'
import type { Input } from '../../endpoint.js'
import type { MessageKey, Texts } from '../../texts/texts.js'
import { pageNotFound } from '../ids.js'

export const notebooksPath = '/notebooks/'
export const notebookPath = (id: string): string => `/notebook/${id}/`

/** Throws a 404 if this installation runs no notebooks. */
export function requireCompute({ cfg }: Input): void {
  if (cfg.computeDriver === 'off') throw pageNotFound()
}

const names = new Map<Lifecycle, MessageKey>([
  [Lifecycle.PENDING, 'compute.state.starting'],
  [Lifecycle.STARTING, 'compute.state.starting'],
  [Lifecycle.RUNNING, 'compute.state.running'],
  [Lifecycle.STOPPING, 'compute.state.stopping'],
  [Lifecycle.STOPPED, 'compute.state.stopped'],
  [Lifecycle.FAILED, 'compute.state.failed'],
  [Lifecycle.TERMINATED, 'compute.state.terminated'],
])

/** The state of a notebook after a change, as a word. */
export const stateOf = ({ t }: Texts, { lifecycle }: { lifecycle: Lifecycle }): Html =>
  t(names.get(lifecycle) ?? 'compute.state.stopped')

export const isChanging = ({ lifecycle }: Instance): boolean =>
  [Lifecycle.PENDING, Lifecycle.STARTING, Lifecycle.STOPPING].includes(lifecycle)

export const isAtRest = ({ lifecycle }: Instance): boolean =>
  [Lifecycle.STOPPED, Lifecycle.FAILED].includes(lifecycle)

/** The options of a menu of tiers. */
export const tierOptions = ({ t, number }: Texts, tiers: Tier[], chosen: string): Html =>
  html`${tiers.map(
    ({ id, label, vcpu, memoryGb }) =>
      html`<option value="${id}"${id === chosen ? html` selected=""` : html``}>${t('compute.tierOf', { label, vcpu: number(vcpu), memory: number(memoryGb) })}</option>`,
  )}`

/** A time of computing: `1.5 hours`. */
export const hours = ({ t, number }: Texts, seconds: bigint): Html =>
  t('compute.hours', { hours: number(Math.round(Number(seconds) / 360) / 10) })
