const noticed = new Set(['Killed', 'Timeout', 'RuntimeError'])
const unnoticed = new Set(['Survived', 'NoCoverage'])

/** How many of the changes of a group a test noticed, and those that none did. */
export function scoreOf({ name, scoreMin }, { files }) {
  const mutants = Object.entries(files).flatMap(([file, { mutants, source }]) =>
    mutants.map((mutant) => ({ ...mutant, file, line: lineOf(source, mutant) })),
  )
  const survivors = mutants.filter(({ status }) => unnoticed.has(status))
  const killed = mutants.filter(({ status }) => noticed.has(status)).length
  const all = killed + survivors.length
  const score = all === 0 ? 0 : Math.floor((1000 * killed) / all) / 10
  return { name, killed, all, score, scoreMin, survivors, isReached: score >= scoreMin }
}

export function printScores(scores) {
  for (const { survivors } of scores) {
    for (const { file, location, line, mutatorName, replacement } of survivors) {
      const change = replacement.replace(/\s+/g, ' ').slice(0, 100)
      console.log(`${file}:${location.start.line} ${mutatorName}: ${change}\n    ${line}`)
    }
  }
  console.log('\n| code | changes | noticed | of 100 | at least |\n|---|---|---|---|---|')
  for (const { name, all, killed, score, scoreMin, isReached } of scores) {
    const mark = isReached ? '' : ': too few'
    console.log(`| ${name} | ${all} | ${killed} | ${score.toFixed(1)} | ${scoreMin}${mark} |`)
  }
}

const lineOf = (source, { location }) => source.split('\n')[location.start.line - 1]?.trim()
