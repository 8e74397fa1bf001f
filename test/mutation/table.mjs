import { explained } from './explained.mjs'

const noticed = new Set(['Killed', 'Timeout', 'RuntimeError'])
const unnoticed = new Set(['Survived', 'NoCoverage'])

/** How many of the changes of a group a test noticed, those that none did, and what explains them. */
export function scoreOf({ name }, { files }) {
  const mutants = Object.entries(files).flatMap(([file, { mutants, source }]) =>
    mutants.map(({ status, mutatorName, replacement, location }) => ({
      ...{ status, mutatorName, replacement, line: location.start.line },
      file: `${file.replace(/^dist\/src\//, '').replace(/\.js$/, '')}`,
      text: textAt(source, location),
    })),
  )
  const survivors = mutants.filter(({ status }) => unnoticed.has(status))
  const noticedCount = mutants.filter(({ status }) => noticed.has(status)).length
  const own = explained.filter(({ group }) => group === name)
  const isOf = (survivor) => (one) =>
    ['file', 'text', 'replacement'].every((part) => one[part] === survivor[part])
  const countOf = (one) => survivors.filter((survivor) => isOf(survivor)(one)).length
  return {
    name,
    noticed: noticedCount,
    all: noticedCount + survivors.length,
    unexplained: survivors.filter((survivor) => !own.some(isOf(survivor))),
    explained: own.filter((one) => countOf(one) === (one.count ?? 1)),
    // Noticed by now, gone, or of more changes than were looked at.
    stale: own.filter((one) => countOf(one) !== (one.count ?? 1)),
  }
}

export const isPassed = ({ unexplained, stale }) => unexplained.length + stale.length === 0

export function printScores(scores) {
  printAll('No test notices, as it makes no difference or none that is worth a test', 'explained')
  printAll('No test notices', 'unexplained')
  printAll(
    'Explained, and not so many changes that no test notices: correct explained.mjs',
    'stale',
  )
  console.log('\n| code | changes | noticed | explained | unexplained |\n|---|---|---|---|---|')
  for (const { name, all, noticed, unexplained } of scores) {
    const explainedCount = all - noticed - unexplained.length
    console.log(`| ${name} | ${all} | ${noticed} | ${explainedCount} | ${unexplained.length} |`)
  }

  function printAll(title, kind) {
    const found = scores.flatMap((score) => score[kind].map((one) => ({ ...one, of: score.name })))
    if (found.length === 0) return
    console.log(`\n${title}:`)
    for (const { of, file, line, text, replacement, reason } of found) {
      console.log(`  ${of} ${file}${line ? `:${line}` : ''}\n    ${text}\n    → ${replacement}`)
      if (reason) console.log(`    ${reason}`)
    }
  }
}

/** What was changed, as the compiler wrote it. Lines and columns count from 1. */
function textAt(source, { start, end }) {
  const lines = source.split('\n').slice(start.line - 1, end.line)
  lines.push(lines.pop().slice(0, end.column - 1))
  return [lines[0].slice(start.column - 1), ...lines.slice(1)].join('\n')
}
