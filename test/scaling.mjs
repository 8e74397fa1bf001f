// Writes the table and the picture of deploy/scaling.md from the stored measurements: npm run scaling
import { readFileSync, writeFileSync } from 'node:fs'
import { readMeasured, scalingFiles } from './dist/bench/scaling/files.js'
import { withScaling } from './dist/bench/scaling/page.js'
import { pictureOf } from './dist/bench/scaling/picture.js'
import { printScaling } from './dist/bench/scaling/print.js'

const { page, picture } = scalingFiles
const measured = readMeasured()
writeFileSync(page, withScaling(readFileSync(page, 'utf8'), measured))
writeFileSync(picture, pictureOf(measured.scaling))
printScaling(measured)
