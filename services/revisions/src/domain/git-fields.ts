import { invalid } from '@figbase/kit/errors'
import { isUuid } from '@figbase/kit/ids'
import { checkedText } from '@figbase/kit/text'
import { Cron } from 'croner'
import { branchProblem } from './git-branch.js'
import { parseGitUrl } from './git-url.js'

const tokenCharsMax = 1000
const patternsMax = 50
const patternCharsMax = 200
const scheduleCharsMax = 100

export function checkedUrl(text: string): string {
  const url = text.trim()
  const parsed = parseGitUrl(url)
  if ('problem' in parsed) throw invalid('url', parsed.problem)
  return url
}

/** Of a URL that was checked. */
export function serverOf(url: string): { isSsh: boolean; server: string } {
  const parsed = parseGitUrl(url)
  if ('problem' in parsed) throw new Error(`the stored URL ${parsed.problem}`)
  const { protocol, host, port } = parsed
  return { isSsh: protocol === 'ssh', server: `${protocol} ${host} ${port}` }
}

export const branchDefault = 'main'

export function checkedBranch(text: string): string {
  const branch = text.trim()
  const problem = branchProblem(branch)
  if (problem) throw invalid('branch', problem)
  return branch
}

export const checkedToken = (token: string): string => {
  const checked = checkedText('token', token.trim(), { charsMin: 0, charsMax: tokenCharsMax })
  if (/[^\x21-\x7e]/.test(checked)) throw invalid('token', 'must have printable characters only')
  return checked
}

/** Null: none. */
export function checkedSshKeyId(id: string): string | null {
  if (id === '') return null
  if (!isUuid(id)) throw invalid('ssh_key', 'must be a UUID')
  return id.toLowerCase()
}

export function checkedPatterns(field: 'include' | 'exclude', patterns: string[]): string[] {
  if (patterns.length > patternsMax) throw invalid(field, `must have at most ${patternsMax} items`)
  return patterns.map((pattern, index) =>
    checkedText(`${field}[${index}]`, pattern.trim(), { charsMin: 1, charsMax: patternCharsMax }),
  )
}

/** Rare schedules have fewer times. */
const timesChecked = 50

/** Five fields of cron, in UTC. Empty: none. */
export function checkedSchedule(text: string, intervalMsMin: number): string {
  const schedule = text.trim().replace(/\s+/g, ' ')
  if (schedule === '') return ''
  if (schedule.length > scheduleCharsMax || schedule.split(' ').length !== 5)
    throw invalid('schedule', 'must have the five fields of cron: minute hour day month weekday')
  const times = timesOf(schedule)
  if (!times) throw invalid('schedule', 'must be a valid cron expression')
  const isTooOften = times.some((time, at) => {
    const next = times[at + 1]
    return next && next.getTime() - time.getTime() < intervalMsMin
  })
  if (isTooOften)
    throw invalid(
      'schedule',
      `must have at least ${intervalMsMin / 60_000} minutes between imports`,
    )
  return schedule
}

function timesOf(schedule: string): Date[] | undefined {
  try {
    const times = new Cron(schedule, { timezone: 'UTC' }).nextRuns(timesChecked)
    return times.length > 0 ? times : undefined
  } catch {
    return undefined
  }
}

/** Null without a schedule. */
export const nextTime = (schedule: string, after = new Date()): string | null =>
  schedule === ''
    ? null
    : (new Cron(schedule, { timezone: 'UTC' }).nextRun(after)?.toISOString() ?? null)
