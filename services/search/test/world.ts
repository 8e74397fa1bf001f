import { createHash, randomUUID } from 'node:crypto'
import { Code, ConnectError, type ConnectRouter } from '@connectrpc/connect'
import { toTimestamp } from '@figbase/kit/db'
import { CatalogService, type NodeType } from '@figbase/proto/catalog'
import { CommentsService } from '@figbase/proto/comments'
import { DataType, RevisionsService, TextSource } from '@figbase/proto/revisions'
import { StoriesService } from '@figbase/proto/stories'
import jwt from 'jsonwebtoken'

/** An object of the stub of catalog. */
export type Thing = {
  id: string
  type: NodeType
  parent: Thing | undefined
  name: string
  description: string
  isDeleted: boolean
  /** Of a figure. */
  isStale: boolean
  comment: string
  /** Of a story. */
  slides: string
  /** Of a revision: the text of its code. */
  code: string
  metadata: object
  /** Of a revision. */
  version: number
  isProcessing: boolean
  /** Of a figure revision: its thumbnail. */
  picture: Buffer | undefined
  createdOn: string
}

/** Stubs of the other services, whose objects the test changes. */
export class World {
  readonly things = new Map<string, Thing>()
  /** Ids of the roots that each user may view. */
  readonly roots = new Map<string, string[]>()
  readonly recent: string[] = []
  /** Calls by name. */
  readonly calls = new Map<string, number>()
  isAvailable = true
  /** The ids whose content cannot be read. */
  readonly broken = new Set<string>()
  #minutes = 0

  add(type: NodeType, parent?: Thing, more: Partial<Thing> = {}): Thing {
    const thing: Thing = {
      id: randomUUID(),
      type,
      parent,
      name: '',
      description: '',
      isDeleted: false,
      isStale: false,
      comment: '',
      slides: '',
      code: '',
      metadata: {},
      version: 1,
      isProcessing: false,
      picture: undefined,
      createdOn: timeOf(this.#minutes++),
      ...more,
    }
    this.things.set(thing.id, thing)
    return thing
  }

  share(username: string, ...roots: Thing[]): void {
    this.roots.set(
      username,
      roots.map(({ id }) => id),
    )
  }

  readonly peers = (router: ConnectRouter) => {
    router.service(CatalogService, {
      listReadableRoots: ({ workspaceId }, { requestHeader }) => {
        this.#called('listReadableRoots')
        const rootIds = (this.roots.get(usernameOf(requestHeader)) ?? []).filter(
          (id) => !workspaceId || this.#workspaceOf(id) === workspaceId,
        )
        return { rootIds, recentlyPlacedIds: this.recent }
      },
      resolveNodes: ({ ids }, { requestHeader }) => {
        this.#called('resolveNodes')
        const roots = this.roots.get(usernameOf(requestHeader)) ?? []
        const nodes = ids.flatMap((id) => {
          const thing = this.things.get(id)
          const path = thing ? lineageOf(thing) : []
          const isReadable = path.some((one) => roots.includes(one.id))
          return thing && isReadable && !path.some((one) => one.isDeleted) ? toNode(thing) : []
        })
        return { nodes }
      },
      readPlaces: ({ ids }) => {
        this.#called('readPlaces')
        const nodes = ids.flatMap((id) => {
          const thing = this.things.get(id)
          if (!thing) return []
          const path = lineageOf(thing)
          const deletedRootId = path.find((one) => one.isDeleted)?.id ?? ''
          return { node: toNode(thing), lineage: path.map((one) => one.id), deletedRootId }
        })
        return { nodes }
      },
      listAllNodes: ({ pageToken, pageSize }) => {
        this.#called('listAllNodes')
        const ids = [...this.things.keys()].sort().filter((id) => id > pageToken)
        const page = ids.slice(0, pageSize)
        const nextPageToken = ids.length > pageSize ? (page.at(-1) ?? '') : ''
        return { ids: page, nextPageToken, totalCount: BigInt(this.things.size) }
      },
      listDeletedNodes: () => ({ ids: [], nextPageToken: '', hasMore: false }),
    })
    const { things, broken } = this
    const called = (name: string) => this.#called(name)
    router.service(RevisionsService, {
      async *readContents({ revisionIds }) {
        called('readContents')
        for (const id of revisionIds) {
          if (broken.has(id)) throw new ConnectError('broken', Code.Internal)
          const thing = things.get(id)
          if (!thing) continue
          const data = [
            { id: dataIdOf(id), type: DataType.CODE, metadataJson: '{}', name: 'cell.py' },
          ]
          const { metadata, picture, version, isProcessing } = thing
          const imageHash = picture ? createHash('sha256').update(picture).digest('hex') : ''
          const hasThumbnail = picture !== undefined
          const metadataJson = JSON.stringify(metadata)
          const state = { version, isProcessing }
          yield { revision: { id, metadataJson, data, imageHash, hasThumbnail, ...state } }
        }
      },
      readThumbnails({ groups }) {
        called('readThumbnails')
        const [id = ''] = groups[0]?.revisionIds ?? []
        return { pngs: [things.get(id)?.picture ?? new Uint8Array()] }
      },
      renderPicture({ image }) {
        called('renderPicture')
        return { png: image }
      },
      async *readTexts({ revisionIds }) {
        for (const revisionId of revisionIds) {
          const text = things.get(revisionId)?.code
          if (!text) continue
          yield { revisionId, dataId: dataIdOf(revisionId), source: TextSource.PLAIN, text }
        }
      },
    })
    router.service(StoriesService, {
      async *readTexts({ storyIds }) {
        called('readStories')
        for (const storyId of storyIds) {
          const text = things.get(storyId)?.slides
          if (text) yield { storyId, text }
        }
      },
    })
    router.service(CommentsService, {
      async *readTexts({ targetIds }) {
        called('readComments')
        for (const targetId of targetIds) {
          const text = things.get(targetId)?.comment
          if (text) yield { targetId, text }
        }
      },
    })
  }

  #called(name: string) {
    this.calls.set(name, (this.calls.get(name) ?? 0) + 1)
    if (!this.isAvailable) throw new ConnectError('unavailable', Code.Unavailable)
  }

  #workspaceOf(id: string) {
    const thing = this.things.get(id)
    return thing && lineageOf(thing)[0]?.id
  }
}

/** As PostgreSQL returns it. */
const timeOf = (minutes: number) =>
  new Date(Date.UTC(2026, 0, 1, 0, minutes)).toISOString().replace('T', ' ').replace('Z', '+00')

/** The one data object of a revision. */
const dataIdOf = (revisionId: string) => `ffffffff${revisionId.slice(8)}`

const usernameOf = (header: Headers) =>
  String(jwt.decode(header.get('figbase-principal') ?? '', { json: true })?.u ?? '')

function lineageOf(thing: Thing): Thing[] {
  return [...(thing.parent ? lineageOf(thing.parent) : []), thing]
}

const toNode = (thing: Thing) => ({
  id: thing.id,
  type: thing.type,
  name: thing.name,
  description: thing.description,
  isStale: thing.isStale,
  workspaceId: lineageOf(thing)[0]?.id ?? '',
  createdOn: toTimestamp(thing.createdOn),
})
