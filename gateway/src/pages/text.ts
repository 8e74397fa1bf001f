import type { Timestamp } from '@bufbuild/protobuf/wkt'
import { type Html, html, toIso } from '@figbase/kit'

/** A name that somebody gave; it cannot turn around the text beside it. */
export const named = (text: string): Html => html`<bdi>${text}</bdi>`

const units = ['kB', 'MB', 'GB', 'TB']

/** A size as people say it, for example `1.4 MB`. */
export function humanBytes(bytes: bigint): string {
  if (bytes < 1000n) return `${bytes} ${bytes === 1n ? 'byte' : 'bytes'}`
  let value = Number(bytes)
  let unit = ''
  for (const next of units) {
    value /= 1000
    unit = next
    // What would be rounded up to a thousand is one of the next.
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

/** To the minute. */
export const moment = (time: Timestamp | undefined): Html =>
  timed(time, (date) => `${minutes.format(date)} UTC`)

export const day = (time: Timestamp | undefined): Html => timed(time, (date) => days.format(date))

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

export const maker = ({ createdBy, onBehalf }: Authored): Html => named(onBehalf?.name ?? createdBy)

/** When something was made, and by whom. */
export const made = (object: Authored): Html =>
  html`${moment(object.createdOn)} by ${maker(object)}`

/** What somebody wrote about something, line by line. */
export const words = (text: string | undefined): Html =>
  text ? html`<p class="words" dir="auto">${text}</p>` : html``
