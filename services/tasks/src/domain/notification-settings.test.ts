import assert from 'node:assert/strict'
import { test } from 'node:test'
import { isDigestTime, nextDigest, settingsOf } from './notification-settings.js'

const next = (hour: number, weekday: number, zone: string, after: string) =>
  nextDigest(
    { digest_hour: hour, digest_weekday: weekday, time_zone: zone },
    new Date(after),
  ).toISOString()

test('the next digest is at the hour in the zone, on the day of the week if one is chosen', () => {
  assert.equal(next(8, 0, 'UTC', '2026-11-26T07:59:59Z'), '2026-11-26T08:00:00.000Z')
  assert.equal(next(8, 0, 'UTC', '2026-11-26T08:00:00Z'), '2026-11-27T08:00:00.000Z')
  assert.equal(next(0, 0, 'Asia/Kolkata', '2026-11-26T08:00:00Z'), '2026-11-26T18:30:00.000Z')
  // A Thursday.
  assert.equal(next(8, 1, 'UTC', '2026-11-26T09:00:00Z'), '2026-11-30T08:00:00.000Z')
  assert.equal(next(8, 4, 'UTC', '2026-11-26T09:00:00Z'), '2026-12-03T08:00:00.000Z')
  assert.equal(next(8, 7, 'UTC', '2026-11-26T09:00:00Z'), '2026-11-29T08:00:00.000Z')
})

test('a day with a change of the clock has one digest', () => {
  const times: string[] = []
  let at = '2026-03-27T12:00:00Z'
  for (let n = 0; n < 3; n++) {
    at = next(2, 0, 'Europe/Berlin', at)
    times.push(at)
  }
  assert.equal(new Set(times.map((time) => time.slice(0, 10))).size, 3)
  assert.equal(next(2, 0, 'Europe/Berlin', '2026-10-24T12:00:00Z').slice(0, 10), '2026-10-25')
})

test('a digest of an earlier choice is not sent', () => {
  const settings = { digest_hour: 8, digest_weekday: 0, time_zone: 'UTC' }
  assert.ok(isDigestTime(settings, new Date('2026-11-26T08:00:00Z')))
  assert.ok(!isDigestTime(settings, new Date('2026-11-26T09:00:00Z')))
  assert.ok(!isDigestTime({ ...settings, digest_weekday: 1 }, new Date('2026-11-26T08:00:00Z')))
})

test('what a person has not chosen is the default, and the profile can end mails about mentions', () => {
  const { reply, mention, time_zone } = settingsOf(undefined, true)
  assert.deepEqual([reply, mention, time_zone], ['AT_ONCE', 'AT_ONCE', 'UTC'])
  assert.equal(settingsOf(undefined, false).mention, 'NONE')
})
