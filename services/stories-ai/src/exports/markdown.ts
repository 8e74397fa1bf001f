import type { Figure } from './figure.js'
import { safeName } from './safe-name.js'
import type { ExportedSlide, Source } from './source.js'
import { type ZipFile, zipOf } from './zip.js'

/** A ZIP with the pictures and `story.md`. Only the text is held in memory. */
export const markdownExport = (source: Source): AsyncIterable<Uint8Array> => zipOf(files(source))

async function* files(source: Source): AsyncGenerator<ZipFile> {
  const { node } = source.story
  const parts = [`# ${escaped(node?.name ?? '')}`]
  if (node?.description) parts.push(node.description)
  /** By revision, because several slides may show one. */
  const paths = new Map<string, string>()
  for await (const exported of source.slides()) {
    const { figure } = exported
    const picture = figure && !paths.has(figure.revisionId) ? await figure.openPicture() : undefined
    if (figure && picture) {
      const { extension, bytes } = picture
      const number = String(paths.size + 1).padStart(3, '0')
      const path = `pictures/${number}-${safeName(figure.name, 'figure')}.${extension}`
      paths.set(figure.revisionId, path)
      yield { path, bytes }
    }
    parts.push('---', ...partsOf(exported, source, figure && paths.get(figure.revisionId)))
  }
  yield { path: 'story.md', bytes: [Buffer.from(`${parts.join('\n\n')}\n`)] }
}

function partsOf(
  { slide, figure, absence }: ExportedSlide,
  { linkTo }: Source,
  path: string | undefined,
): string[] {
  const parts: string[] = []
  if (absence) parts.push(`*${absence}*`)
  if (figure && path) parts.push(`![${escaped(figure.name)}](${encodeURI(path)})`)
  if (slide.content.trim() !== '') parts.push(slide.content)
  if (figure) parts.push(provenance(figure, linkTo(figure.revisionId)))
  return parts
}

function provenance(figure: Figure, link: string | undefined): string {
  const { name, revisionIndex, revisionId, codeNames, assetIds } = figure
  const title = `${escaped(name)}, revision ${revisionIndex + 1}`
  const lines = [`Source: ${link ? `[${title}](${link})` : title} (${revisionId})`]
  if (codeNames.length > 0) lines.push(`Code: ${codeNames.map(escaped).join(', ')}`)
  if (assetIds.length > 0) lines.push(`Assets: ${assetIds.join(', ')}`)
  return lines.map((line) => `> ${line}`).join('  \n')
}

/** A name as plain text in one line of Markdown. */
const escaped = (name: string): string =>
  name.replaceAll(/[\s\p{Cc}]+/gu, ' ').replaceAll(/[\\`*_{}[\]()#+.!|<>~&-]/g, '\\$&')
