import { normalized } from './normalized.js'

/** A successful answer; `response` names the response in the OpenAPI document. */
export interface RecordedAnswer {
  response: string
  body: unknown
}

/** One example for each response: the answer that shows most, and of equal ones the shortest. */
export function chooseExamples(answers: Iterable<RecordedAnswer>): Record<string, unknown> {
  const best = new Map<string, Candidate>()
  for (const { response, body } of answers) {
    const candidate = candidateOf(normalized(body))
    const known = best.get(response)
    if (!known || compare(candidate, known) > 0) best.set(response, candidate)
  }
  const sorted = [...best].sort(([a], [b]) => (a < b ? -1 : 1))
  return Object.fromEntries(sorted.map(([response, { body }]) => [response, body]))
}

interface Candidate {
  body: unknown
  text: string
  members: number
}

const candidateOf = (body: unknown): Candidate => ({
  body,
  text: JSON.stringify(body),
  members: countMembers(body),
})

/** Positive if the first is better. */
function compare(one: Candidate, other: Candidate): number {
  if (one.members !== other.members) return one.members - other.members
  if (one.text.length !== other.text.length) return other.text.length - one.text.length
  return one.text < other.text ? 1 : -1
}

/** The number of values that are not null. */
function countMembers(value: unknown): number {
  if (typeof value !== 'object') return 1
  return Object.values(value ?? {}).reduce<number>((sum, item) => sum + countMembers(item), 0)
}
