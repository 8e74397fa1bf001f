import { createHash } from 'node:crypto'
import { deflateSync } from 'node:zlib'

/** An object of Git as it is in a pack. */
export type Packed = { id: string; bytes: Buffer }

const types = { commit: 1, tree: 2, blob: 3 }
const refDelta = 7

const sha1 = (content: Buffer) => createHash('sha1').update(content).digest()

/** The number of a type, and a size in groups of four and then of seven bits. */
function head(type: number, size: number) {
  const bytes = [(type << 4) | (size & 15)]
  for (let rest = Math.floor(size / 16); rest > 0; rest = Math.floor(rest / 128)) {
    bytes[bytes.length - 1] = (bytes.at(-1) ?? 0) | 128
    bytes.push(rest & 127)
  }
  return Buffer.from(bytes)
}

export function packed(type: keyof typeof types, content: Buffer): Packed {
  const id = sha1(Buffer.concat([Buffer.from(`${type} ${content.length}\0`), content]))
  const bytes = Buffer.concat([head(types[type], content.length), deflateSync(content)])
  return { id: id.toString('hex'), bytes }
}

export const blob = (content: string | Buffer): Packed => packed('blob', Buffer.from(content))

export type Entry = [mode: string, name: string | Buffer, id: string]

/** In the order of the entries, even if it is wrong. */
export const tree = (entries: Entry[]): Packed =>
  packed(
    'tree',
    Buffer.concat(
      entries.flatMap(([mode, name, id]) => [
        Buffer.from(`${mode} `),
        Buffer.from(name),
        Buffer.of(0),
        Buffer.from(id, 'hex'),
      ]),
    ),
  )

export const commit = (treeId: string, message = 'First', parents: string[] = []): Packed =>
  packed(
    'commit',
    Buffer.from(
      [
        `tree ${treeId}`,
        ...parents.map((id) => `parent ${id}`),
        'author Ada <ada@x.org> 1000 +0000',
        'committer Ada <ada@x.org> 1000 +0000',
        '',
        message,
      ].join('\n'),
    ),
  )

/** A blob that repeats the whole of another many times. */
export function repeating(base: Packed, baseBytes: number, times: number): Packed {
  const varint = (value: number): number[] =>
    value < 128 ? [value] : [(value & 127) | 128, ...varint(Math.floor(value / 128))]
  const copyAll = [0b1111_0000, baseBytes & 255, (baseBytes >> 8) & 255, baseBytes >> 16]
  const delta = Buffer.from([
    ...varint(baseBytes),
    ...varint(baseBytes * times),
    ...Array.from({ length: times }, () => copyAll).flat(),
  ])
  const baseId = Buffer.from(base.id, 'hex')
  return {
    id: '',
    bytes: Buffer.concat([head(refDelta, delta.length), baseId, deflateSync(delta)]),
  }
}

/** `count` is what it announces. */
export function packOf(objects: Packed[], count = objects.length): Buffer {
  const start = Buffer.alloc(12)
  start.write('PACK')
  start.writeUInt32BE(2, 4)
  start.writeUInt32BE(count, 8)
  const content = Buffer.concat([start, ...objects.map(({ bytes }) => bytes)])
  return Buffer.concat([content, sha1(content)])
}

/** A file with its content, or a folder. */
export type Node = { mode: string; packed: Packed } | Folder
export type Folder = { entries: [name: Buffer, node: Node][] }

/** The trees of a folder, its own last, in the order of Git. */
export function treesOf({ entries }: Folder): Packed[] {
  const below: Packed[] = []
  const own = entries.map(([name, node]): [Buffer, Entry] => {
    if (!('entries' in node)) return [name, [node.mode, name, node.packed.id]]
    const trees = treesOf(node)
    below.push(...trees)
    const sortName = Buffer.concat([name, Buffer.from('/')])
    return [sortName, ['40000', name, trees.at(-1)?.id ?? '']]
  })
  own.sort(([a], [b]) => a.compare(b))
  return [...below, tree(own.map(([, entry]) => entry))]
}
