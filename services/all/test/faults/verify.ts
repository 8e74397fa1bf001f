import { setTimeout as sleep } from 'node:timers/promises'
import { pixels } from '../author.js'
import type { Load, Written } from './load.js'
import { mailsIn } from './mails.js'

/** What a run has lost or done twice, in words; empty when all is well. */
export type Losses = string[]

const settleMs = 120_000
const logLimit = 1000

type Comment = { id: string; content: string; target_id: string }
type LogItem = { action: string; target_id: string }
type Revision = { is_processing: boolean; data: { api_id: string }[] }

/**
 * When nothing fails any more: every write that was acknowledged is there, once, with what follows from it by events
 * and jobs (log entries, thumbnails, mails), and what was not acknowledged is there once or not at all. What takes its
 * time is waited for.
 */
export async function verify(load: Load, dataDir: string): Promise<Losses> {
  const end = performance.now() + settleMs
  for (;;) {
    const losses = await lossesOf(load, dataDir)
    if (losses.length === 0 || performance.now() > end) return losses
    await sleep(500)
  }
}

async function lossesOf(load: Load, dataDir: string): Promise<Losses> {
  const comments = await commentsOf(load)
  const log = await logOf(load)
  return [
    ...amiss(
      'comment',
      load.comments,
      comments.map(({ content }) => content.slice(0, 36)),
    ),
    ...(await revisionsAmiss(load, log)),
    ...(await namesAmiss(load)),
    ...entriesAmiss(comments, loggedAs(log, 'comment_create')),
    ...(await mailsAmiss(comments, dataDir)),
  ]
}

const loggedAs = (log: LogItem[], action: string) =>
  log.filter((item) => item.action === action).map(({ target_id }) => target_id)

/** Those that must be there and are not, and those that are there twice. */
function amiss(what: string, written: Written[], found: string[]): Losses {
  const counts = new Map<string, number>()
  for (const key of found) counts.set(key, (counts.get(key) ?? 0) + 1)
  return written.flatMap(({ key, isAcknowledged }) => {
    const count = counts.get(key) ?? 0
    if (count > 1) return [`${what} ${key}: ${count} times`]
    return isAcknowledged && count === 0 ? [`${what} ${key}: lost`] : []
  })
}

/** The log names the figure: so many entries as it has comments. */
function entriesAmiss(comments: Comment[], logged: string[]): Losses {
  const figures = [...new Set(comments.map(({ target_id }) => target_id))]
  return figures.flatMap((figure) => {
    const wanted = comments.filter(({ target_id }) => target_id === figure).length
    const found = logged.filter((id) => id === figure).length
    return found === wanted ? [] : [`figure ${figure}: ${found} log entries of ${wanted} comments`]
  })
}

async function commentsOf({ author, place }: Load): Promise<Comment[]> {
  const lists = place.figures.map((figure) =>
    author.ask<Comment[]>('GET', `comment/?target_type=figure&target_id=${figure}`),
  )
  return (await Promise.all(lists)).flat()
}

async function logOf({ author, place }: Load): Promise<LogItem[]> {
  const all: LogItem[] = []
  for (;;) {
    const path = `workspace/${place.workspace}/log/?limit=${logLimit}&offset=${all.length}`
    const page = await author.ask<LogItem[]>('GET', path)
    all.push(...page)
    if (page.length < logLimit) return all
  }
}

async function revisionsAmiss({ author, revisions }: Load, log: LogItem[]): Promise<Losses> {
  const logged = loggedAs(log, 'create')
  const found: Written[] = []
  const losses: Losses = []
  for (const { key, isAcknowledged } of revisions) {
    const answer = await author.send('GET', `revision/${key}/`)
    const isThere = answer.outcome === 'answered'
    if (isThere) found.push({ key, isAcknowledged: true })
    if (!isThere && (isAcknowledged || answer.status !== 404)) {
      losses.push(`revision ${key}: ${answer.status}`)
    }
    if (!isThere) continue
    const revision = answer.body as Revision
    if (revision.is_processing) losses.push(`revision ${key}: still processing`)
    const path = `data/${revision.data[0]?.api_id}/`
    const { body } = await author.send('GET', path)
    if ((body as { data?: string } | undefined)?.data !== pixels)
      losses.push(`revision ${key}: data`)
    const picture = await author.send('GET', `revision/${key}/thumbnail/64/`)
    if (picture.status !== 200) losses.push(`revision ${key}: thumbnail ${picture.status}`)
  }
  return [...losses, ...amiss('log entry of revision', found, logged)]
}

async function namesAmiss({ author, names }: Load): Promise<Losses> {
  const losses: Losses = []
  for (const [figure, possible] of names) {
    const { name } = await author.ask<{ name: string }>('GET', `figure/${figure}/`)
    if (!possible.includes(name)) losses.push(`figure ${figure}: its name is an old one`)
  }
  return losses
}

/** One mail a comment that mentions somebody. */
async function mailsAmiss(comments: Comment[], dataDir: string): Promise<Losses> {
  const mentioning = comments.filter(({ content }) => content.includes('@'))
  const texts = await mailsIn(dataDir)
  const found = mentioning.flatMap(({ content }) => {
    const key = content.slice(0, 36)
    return texts.filter((text) => text.includes(key)).map(() => key)
  })
  const wanted = mentioning.map(({ content }) => ({
    key: content.slice(0, 36),
    isAcknowledged: true,
  }))
  return amiss('mail about comment', wanted, found)
}
