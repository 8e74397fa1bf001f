import assert from 'node:assert/strict'
import { test } from 'node:test'
import { planImport, type Slot } from './git-plan.js'
import { noRules } from './git-rules.js'
import { contentKey } from './git-slots.js'
import { wantedOf } from './git-wanted.js'

type Tree = Map<string, string>

/** What the service stores of a plan. */
type Stored = Slot & { revisions: number }

const wantedFrom = (tree: Tree) => {
  const files = [...tree].map(([path, blobId]) => ({ path, blobId, sizeBytes: 1 }))
  const options = { rules: noRules, patterns: [noRules], rootAnalysis: undefined }
  return wantedOf(files, files, options).wanted
}

/** Imports a tree, and changes the stored slots as the service does. */
function importTree(tree: Tree, slots: Stored[], renames: Map<string, string>) {
  const steps = planImport(wantedFrom(tree), slots, renames)
  for (const { wanted, slot, isChanged } of steps) {
    const { kind, path, name, content } = wanted
    if (slot) Object.assign(slot, { path, name, content, revisions: slot.revisions + +isChanged })
    else slots.push({ id: `${slots.length}`, kind, path, name, content, revisions: 1 })
  }
  return steps
}

test('an import of the same tree changes nothing', () => {
  const slots: Stored[] = []
  const tree = new Map([
    ['a.png', '1'],
    ['a.csv', '2'],
  ])
  importTree(tree, slots, new Map())
  const steps = importTree(tree, slots, new Map())
  assert.ok(steps.every(({ slot, isChanged, isRenamed }) => slot && !isChanged && !isRenamed))
})

test('a renamed and changed picture keeps its slot if Git reports it, and else if its bytes are the same', () => {
  const slots: Stored[] = []
  importTree(
    new Map([
      ['a.png', '1'],
      ['b.png', '2'],
    ]),
    slots,
    new Map(),
  )
  const [a, b] = slots
  const tree = new Map([
    ['new/a.png', '3'],
    ['new/b.png', '2'],
  ])
  const steps = importTree(tree, slots, new Map([['a.png', 'new/a.png']]))
  assert.deepEqual(
    steps.map(({ slot, isChanged, isRenamed }) => [slot, isChanged, isRenamed]),
    [
      [a, true, true],
      [b, false, true],
    ],
  )
  assert.equal(slots.length, 2)
})

test('a picture that comes back has its old slot', () => {
  const slots: Stored[] = []
  importTree(new Map([['a.png', '1']]), slots, new Map())
  importTree(new Map(), slots, new Map())
  const [step] = importTree(new Map([['a.png', '1']]), slots, new Map())
  assert.deepEqual([step?.slot, step?.isChanged], [slots[0], false])
})

test('an interrupted import continues: a slot without a revision is created', () => {
  const slot: Stored = {
    id: '0',
    kind: 'figure',
    path: 'a',
    name: 'a',
    content: null,
    revisions: 0,
  }
  const [step] = planImport(wantedFrom(new Map([['a.png', '1']])), [slot], new Map())
  assert.deepEqual([step?.slot, step?.isChanged, step?.isRenamed], [slot, true, false])
})

test('code that figures share makes no new revisions', () => {
  const before = new Map([
    ['a.png', '1'],
    ['b.png', '2'],
    ['plot.py', '3'],
  ])
  const slots: Stored[] = []
  importTree(before, slots, new Map())
  const steps = importTree(new Map([...before, ['plot.py', '4']]), slots, new Map())
  assert.ok(steps.every(({ isChanged }) => !isChanged))
  const roles = slots[0]?.content?.files.map(({ role }) => role)
  assert.deepEqual(roles, ['image', 'shared_code'])
})

/** A generator with a seed, so that a failure can be repeated. */
function randomFrom(seed: number) {
  let state = seed
  return (below: number) => {
    state = (state * 1_103_515_245 + 12_345) % 2 ** 31
    return Math.floor((state / 2 ** 31) * below)
  }
}

/**
 * The model knows which picture is which: each has an identity, and a list of the bytes that imports saw. Bytes are
 * never the same for two pictures, and paths are never used again.
 */
test('random histories give each picture one slot, with one revision for each change that an import saw', () => {
  for (let seed = 1; seed <= 60; seed++) {
    const random = randomFrom(seed)
    const live = new Map<number, { path: string; blob: string }>()
    const seen = new Map<number, string[]>()
    const slots: Stored[] = []
    const slotOf = new Map<number, string>()
    let names = 0
    for (let round = 0; round < 8; round++) {
      const before = new Map([...live].map(([id, { path }]) => [id, path]))
      for (let change = 0; change < 6; change++) {
        const ids = [...live.keys()]
        const id = ids[random(ids.length || 1)] ?? -1
        const one = live.get(id)
        const kind = random(4)
        if (kind === 0 || !one)
          live.set(names++, { path: `f${random(3)}/p${names}.png`, blob: `b${names}` })
        else if (kind === 1) one.blob = `c${names++}`
        else if (kind === 2) one.path = `f${random(3)}/q${names++}.png`
        else live.delete(id)
      }
      const renames = new Map<string, string>()
      for (const [id, { path }] of live) {
        const old = before.get(id)
        if (old !== undefined && old !== path) renames.set(old, path)
      }
      importTree(new Map([...live.values()].map(({ path, blob }) => [path, blob])), slots, renames)
      for (const [id, { path, blob }] of live) {
        const blobs = seen.get(id) ?? []
        if (blobs.at(-1) !== blob) blobs.push(blob)
        seen.set(id, blobs)
        const slot = slots.find((one) => one.path === path.replace('.png', ''))
        assert.ok(slot, `seed ${seed}`)
        assert.equal(slotOf.get(id) ?? slot.id, slot.id, `seed ${seed}: the slot is the same`)
        slotOf.set(id, slot.id)
        assert.equal(slot.revisions, blobs.length, `seed ${seed}: revisions of ${path}`)
      }
    }
    assert.equal(slots.length, seen.size, `seed ${seed}: nothing is doubled`)
  }
})

test('the key of a content depends on roles, bytes and the description only', () => {
  const file = { role: 'image' as const, path: 'a.png', blob: '1' }
  const key = contentKey({ files: [file] })
  assert.equal(contentKey({ files: [{ ...file, path: 'b.png' }] }), key)
  assert.notEqual(contentKey({ files: [{ ...file, blob: '2' }] }), key)
  assert.notEqual(contentKey({ files: [file], description: 'x' }), key)
})
