import { invalid } from '@figbase/kit/errors'
import { ExportFormat } from '@figbase/proto/stories'
import type { ExportFormatName } from '../db/schema.js'

const names: Partial<Record<ExportFormat, ExportFormatName>> = {
  [ExportFormat.MARKDOWN]: 'markdown',
  [ExportFormat.PPTX]: 'pptx',
  [ExportFormat.PDF]: 'pdf',
}

export function formatName(format: ExportFormat): ExportFormatName {
  const name = names[format]
  if (!name) throw invalid('format', 'must be markdown, pptx or pdf')
  return name
}

export const formatOf: Record<ExportFormatName, ExportFormat> = {
  markdown: ExportFormat.MARKDOWN,
  pptx: ExportFormat.PPTX,
  pdf: ExportFormat.PDF,
}
