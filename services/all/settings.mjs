// Writes the tables of settings into the operator's guide, and those of values into the chart: npm run settings
import { readFileSync, writeFileSync } from 'node:fs'
import { withSettingsTable } from './dist/src/settings-table.js'
import { writeChartDocuments } from './dist/test/support/chart/write-documents.js'

const document = new URL('../../deploy/settings.md', import.meta.url)
writeFileSync(document, withSettingsTable(readFileSync(document, 'utf8')))
writeChartDocuments()
