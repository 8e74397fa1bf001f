import type { Timestamp } from '@bufbuild/protobuf/wkt'
import { toIso } from '@figbase/kit/db'
import { type Html, html } from '@figbase/kit/text'

/** A user-provided name, isolated so that right-to-left text does not affect the text around it. */
export const nameHtml = (text: string): Html => html`<bdi>${text}</bdi>`

const units = ['kB', 'MB', 'GB', 'TB']

/** A size such as `1.4 MB`. */
export function humanBytes(bytes: bigint): string {
  if (bytes < 1000n) return `${bytes} ${bytes === 1n ? 'byte' : 'bytes'}`
  let value = Number(bytes)
  let unit = ''
  for (const next of units) {
    value /= 1000
    unit = next
    // From 999.5 on, rounding would give 1000: use the next unit.
    if (value < 999.5) break
  }
  return `${value < 9.95 ? value.toFixed(1) : Math.round(value)} ${unit}`
}

const formatted = (timeStyle: 'short' | undefined) =>
  new Intl.DateTimeFormat('en-GB', {
    dateStyle: 'long',
    timeZone: 'UTC',
    ...(timeStyle && { timeStyle }),
  })
const days = formatted(undefined)
const minutes = formatted('short')

/** A time with minute precision. */
export const dateTimeHtml = (time: Timestamp | undefined): Html =>
  timed(time, (date) => `${minutes.format(date)} UTC`)

export const dateHtml = (time: Timestamp | undefined): Html =>
  timed(time, (date) => days.format(date))

function timed(time: Timestamp | undefined, text: (date: Date) => string) {
  if (!time) return html``
  const iso = toIso(time)
  return html`<time datetime="${iso}">${text(new Date(iso))}</time>`
}

type Authored = {
  createdOn?: Timestamp | undefined
  createdBy: string
  onBehalf?: { name: string } | undefined
}

export const creatorHtml = ({ createdBy, onBehalf }: Authored): Html =>
  nameHtml(onBehalf?.name ?? createdBy)

/** The creation time and the creator of an object. */
export const createdHtml = (object: Authored): Html =>
  html`${dateTimeHtml(object.createdOn)} by ${creatorHtml(object)}`

/** User-provided text as a paragraph; keeps its line breaks. */
export const paragraphHtml = (text: string | undefined): Html =>
  text ? html`<p class="words" dir="auto">${text}</p>` : html``
