import { explained } from './explained.mjs'

const killed = new Set(['Killed', 'Timeout', 'RuntimeError'])
const survivedStatuses = new Set(['Survived', 'NoCoverage'])

/** The numbers of killed and surviving mutants of a group, and the explanations of survivors. */
export function scoreOf({ name }, { files }) {
  const mutants = Object.entries(files).flatMap(([file, { mutants, source }]) =>
    mutants.map(({ status, mutatorName, replacement, location }) => ({
      ...{ status, mutatorName, replacement, line: location.start.line },
      file: `${file.replace(/^dist\/src\//, '').replace(/\.js$/, '')}`,
      text: textAt(source, location),
    })),
  )
  const survivors = mutants.filter(({ status }) => survivedStatuses.has(status))
  const killedCount = mutants.filter(({ status }) => killed.has(status)).length
  const own = explained.filter(({ group }) => group === name)
  const isOf = (survivor) => (one) =>
    ['file', 'text', 'replacement'].every((part) => one[part] === survivor[part])
  const countOf = (one) => survivors.filter((survivor) => isOf(survivor)(one)).length
  return {
    name,
    killed: killedCount,
    all: killedCount + survivors.length,
    unexplained: survivors.filter((survivor) => !own.some(isOf(survivor))),
    explained: own.filter((one) => countOf(one) === (one.count ?? 1)),
    // Explanations without the expected number of surviving mutants.
    stale: own.filter((one) => countOf(one) !== (one.count ?? 1)),
  }
}

export const isPassed = ({ unexplained, stale }) => unexplained.length + stale.length === 0

export function printScores(scores) {
  printAll('Surviving mutants with an explanation', 'explained')
  printAll('Surviving mutants', 'unexplained')
  printAll('Stale explanations, to be corrected in explained.mjs', 'stale')
  console.log('\n| code | mutants | killed | explained | unexplained |\n|---|---|---|---|---|')
  for (const { name, all, killed, unexplained } of scores) {
    const explainedCount = all - killed - unexplained.length
    console.log(`| ${name} | ${all} | ${killed} | ${explainedCount} | ${unexplained.length} |`)
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

/** The mutated text of the compiled file. Lines and columns count from 1. */
function textAt(source, { start, end }) {
  const lines = source.split('\n').slice(start.line - 1, end.line)
  lines.push(lines.pop().slice(0, end.column - 1))
  return [lines[0].slice(start.column - 1), ...lines.slice(1)].join('\n')
}
