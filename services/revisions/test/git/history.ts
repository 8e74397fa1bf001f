import { seededRandom } from '@figbase/kit/testing'

/** A file of the model: the same one also after it was renamed. */
export type ModelFile = { id: number; content: string }
export type State = Map<string, ModelFile>
export type ModelCommit = {
  mark: number
  parents: ModelCommit[]
  subject: string
  second: number
  state: State
}

const lines = 30

/** A history of one branch with side branches that were merged, and the input for `git fast-import`. */
export function createHistory(seed: number, count: number) {
  const random = seededRandom(seed)
  const below = (max: number) => Math.floor(random() * max)
  const word = () => below(2 ** 31).toString(36)
  const line = () => `${word()} ${word()} ${word()}\n`
  let nextId = 1
  let nextMark = 1
  const output: string[] = []
  const commits: ModelCommit[] = []

  const newPath = () =>
    `${['a', 'a/b', 'c', 'ü/ö', ''][below(5)]}/f${nextId} ${word()}`.replace(/^\//, '')
  const pick = (state: State) => [...state.keys()][below(state.size)] ?? ''

  function change(state: State) {
    const kind = state.size < 10 ? 0 : below(10)
    const path = pick(state)
    const file = state.get(path)
    if (kind < 4 || !file) {
      const content = Array.from({ length: lines }, line).join('')
      state.set(newPath(), { id: nextId++, content })
    } else if (kind < 8) {
      const parts = file.content.split(/(?<=\n)/)
      parts[below(parts.length)] = line()
      const content = parts.join('')
      if (kind < 6) return void state.set(path, { ...file, content })
      state.delete(path)
      state.set(newPath(), { ...file, content: kind === 6 ? file.content : content })
      nextId++
    } else if (kind === 8) {
      state.delete(path)
    }
  }

  function add(parents: ModelCommit[], state: State): ModelCommit {
    const mark = nextMark++
    const subject = `Commit ${mark}`
    const commit = { mark, parents, subject, second: 1_700_000_000 + mark, state }
    const time = `Ada <ada@x.org> ${commit.second} +0000`
    output.push(
      `commit refs/heads/b${mark}\nmark :${mark}\nauthor ${time}\ncommitter ${time}\n`,
      `data ${subject.length}\n${subject}\n`,
      ...parents.map((parent, at) => `${at === 0 ? 'from' : 'merge'} :${parent.mark}\n`),
      'deleteall\n',
      ...[...state].map(
        ([path, { content }]) =>
          `M 644 inline "${path}"\ndata ${Buffer.byteLength(content)}\n${content}\n`,
      ),
    )
    commits.push(commit)
    return commit
  }

  function changed(state: State) {
    const next = new Map(state)
    for (let left = 1 + below(3); left > 0; left--) change(next)
    return next
  }

  let tip = add([], changed(new Map()))
  while (commits.length < count) {
    if (below(5) > 0) {
      tip = add([tip], changed(tip.state))
      continue
    }
    let side = tip
    for (let left = 1 + below(4); left > 0; left--) side = add([side], changed(side.state))
    const base = tip
    for (let left = below(3); left > 0; left--) tip = add([tip], changed(tip.state))
    tip = add([tip, side], merged(base.state, tip.state, side.state))
  }
  const tags = new Map(
    commits.filter(({ mark }) => mark % 50 === 0).map((commit) => [`v${commit.mark}`, commit]),
  )
  output.push(`reset refs/heads/main\nfrom :${tip.mark}\n\n`)
  for (const [name, { mark }] of tags) output.push(`reset refs/tags/${name}\nfrom :${mark}\n\n`)
  return { input: output.join(''), commits, tip, tags }
}

/** Takes over what the side branch did, unless the branch changed the same file. */
function merged(base: State, own: State, side: State): State {
  const result = new Map(own)
  const pathsOf = (state: State) => new Map([...state].map(([path, { id }]) => [id, path]))
  const [before, there] = [pathsOf(base), pathsOf(side)]
  for (const [id, path] of before) {
    if (own.get(path) !== base.get(path)) continue
    const later = there.get(id)
    result.delete(path)
    if (later !== undefined) result.set(later, side.get(later) ?? { id, content: '' })
  }
  for (const [id, path] of there) {
    if (!before.has(id)) result.set(path, side.get(path) ?? { id, content: '' })
  }
  return result
}

/** By its definition. */
export function lastChange(commit: ModelCommit, path: string): ModelCommit {
  const content = commit.state.get(path)?.content
  const same = commit.parents.find(({ state }) => state.get(path)?.content === content)
  return same ? lastChange(same, path) : commit
}

/** New path by old path. */
export function renames(from: ModelCommit, to: ModelCommit): Map<string, string> {
  const now = new Map([...to.state].map(([path, { id }]) => [id, path]))
  const moved = [...from.state].map(([path, { id }]): [string, string] => [
    path,
    now.get(id) ?? path,
  ])
  return new Map(moved.filter(([before, after]) => before !== after))
}
