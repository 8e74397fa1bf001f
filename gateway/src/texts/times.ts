import type { Timestamp } from '@bufbuild/protobuf/wkt'
import { toIso } from '@figbase/kit/db'
import { type Html, html } from '@figbase/kit/text'

type Time = Timestamp | undefined

const day = { year: 'numeric', month: 'long', day: 'numeric', timeZone: 'UTC' } as const
const minute = { ...day, hour: 'numeric', minute: '2-digit', timeZoneName: 'short' } as const

/** Formats months such as `2026-11`: in full, and as one letter. */
export function monthFormats(
  locale: string,
): Record<'month' | 'monthLetter', (period: string) => string> {
  const full = new Intl.DateTimeFormat(locale, { year: 'numeric', month: 'long', timeZone: 'UTC' })
  const letter = new Intl.DateTimeFormat(locale, { month: 'narrow', timeZone: 'UTC' })
  const startOf = (period: string) => new Date(`${period}-01T00:00:00Z`)
  return {
    month: (period) => full.format(startOf(period)),
    monthLetter: (period) => letter.format(startOf(period)),
  }
}

/** Formats times in UTC. The script of the pages shows them in the reader's zone (`browser/times.ts`). */
export function timeFormats(locale: string): Record<'date' | 'dateTime', (time: Time) => Html> {
  const days = new Intl.DateTimeFormat(locale, day)
  const minutes = new Intl.DateTimeFormat(locale, minute)
  return {
    date: (time) => {
      const iso = isoOf(time)
      return iso
        ? html`<time datetime="${iso}" data-show="date">${days.format(new Date(iso))}</time>`
        : html``
    },
    dateTime: (time) => {
      const iso = isoOf(time)
      return iso ? html`<time datetime="${iso}">${minutes.format(new Date(iso))}</time>` : html``
    },
  }
}

const isoOf = (time: Time) => time && toIso(time)
