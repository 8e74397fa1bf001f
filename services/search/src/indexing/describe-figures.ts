import { createHash } from 'node:crypto'
import { DataType, TextSource } from '@figbase/proto/revisions'
import type { Ctx } from '../context.js'
import { metadataWords } from '../domain/metadata-words.js'
import { describeFigure, type FigureText } from '../figure-text/describe-figure.js'
import { embedFigureName, readPictureName } from '../jobs/likeness-names.js'
import { pictureVersion } from '../pictures/describe.js'
import { saveDescribed } from '../queries/likenesses.js'
import type { Sources } from './sources.js'

/** What figure revisions mean, by id. */
export type FigureTexts = Map<string, FigureText & { picture: string }>

/** Describes the figure revisions among the sources. `recognized` is the text of their pictures. */
export function describeFigures(
  { cfg }: Pick<Ctx, 'cfg'>,
  { nodes, parents, revisions, texts }: Sources,
  recognized: Map<string, string>,
): FigureTexts {
  const described: FigureTexts = new Map()
  for (const [id, revision] of revisions) {
    const figure = parents.get(nodes.get(id)?.lineage.at(-2) ?? '')
    if (!figure) continue
    const own = texts.get(id) ?? []
    const types = new Map(revision.data.map((data) => [data.id, data.type]))
    const textsOf = (isWanted: (text: (typeof own)[number]) => boolean) =>
      own.filter(isWanted).map(({ text }) => text)
    const drawn = [TextSource.SVG, TextSource.PDF]
    const parts = {
      name: figure.name,
      description: [figure.description, revision.description?.text].filter(Boolean).join('. '),
      metadata: metadataWords(revision.metadataJson, cfg.fieldCharsMax),
      code: textsOf(({ dataId }) => types.get(dataId) === DataType.CODE),
      drawings: textsOf(({ source }) => drawn.includes(source)),
      columns: textsOf(({ source }) => source === TextSource.COLUMNS).flatMap((text) =>
        text.split('\n'),
      ),
      ocr: recognized.get(id) ?? '',
    }
    const picture = revision.hasThumbnail ? revision.imageHash || id : ''
    described.set(id, { ...describeFigure(parts, cfg.figureText), picture })
  }
  return described
}

/** Saves the descriptions, and enqueues what is outdated: vectors and pictures. May be repeated. */
export async function saveFigures(ctx: Ctx, described: FigureTexts): Promise<void> {
  if (described.size === 0) return
  const { embedders } = await ctx.similar
  const rows = [...described].map(([id, { passages, picture }]) => ({
    id,
    passages,
    hash: createHash('sha256').update(JSON.stringify(passages)).digest('base64url'),
    picture,
  }))
  // Not one transaction: if the process is killed in between, the change is indexed again, and the jobs enqueued.
  const saved = await saveDescribed(ctx.db, rows, embedders?.indexing.model, pictureVersion)
  const outdated = saved.filter(({ must_embed, must_read }) => must_embed || must_read)
  if (outdated.length === 0) return
  await ctx.transact(async (tx) => {
    for (const { id, must_embed, must_read } of outdated) {
      if (must_embed) await ctx.enqueue(tx, embedFigureName, { id }, { key: id })
      if (must_read) await ctx.enqueue(tx, readPictureName, { id }, { key: id })
    }
  })
}
