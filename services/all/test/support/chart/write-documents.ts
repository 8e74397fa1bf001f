import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { withSettings, withValuesTable } from './documents.js'
import { chartDir, readChart } from './files.js'

/** Writes the parts of the chart that are made from other files. */
export function writeChartDocuments(): void {
  const schema = withSettings(readChart('values.schema.json'))
  writeFileSync(join(chartDir, 'values.schema.json'), `${JSON.stringify(schema, undefined, 2)}\n`)
  const readme = withValuesTable(readChart('README.md'), readChart('values.yaml'))
  writeFileSync(join(chartDir, 'README.md'), readme)
}
