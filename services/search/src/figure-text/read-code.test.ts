import assert from 'node:assert/strict'
import { test } from 'node:test'
import { readCode } from './read-code.js'

const read = (text: string) => readCode(text, 200_000)

const python = `
import matplotlib.pyplot as plt
# Expression of genes after treatment
df = pd.read_csv("data/gene_expression.csv")
fig, ax = plt.subplots(1, 2)
ax.scatter(df["log2FC"], df['minus_log10_p'])
ax.set_xlabel("Fold change")
ax.set_title('Volcano plot of genes')
sns.heatmap(data=df, cmap="viridis")
`

test('reads Python', () => {
  const text = read(python)
  assert.deepEqual(text.charts, ['scatter plot', 'heatmap'])
  assert.deepEqual(text.titles, ['Fold change', 'Volcano plot of genes'])
  assert.deepEqual(text.fields, ['log2FC', 'minus log10 p'])
  assert.ok(text.data.includes('gene expression'))
  assert.ok(text.values.includes('viridis'))
  assert.deepEqual(text.comments, ['Expression of genes after treatment'])
  assert.deepEqual(text.features, ['subplots, small multiples'])
})

test('reads R', () => {
  const text = read(`
library(ggplot2)
ggplot(iris, aes(x = Sepal.Length, fill = Species)) +
  geom_boxplot() + facet_wrap(~ Region) + labs(title = "Sepals of irises", y = 'Length')
hist(iris$Petal.Width)
`)
  assert.deepEqual(text.charts, ['box plot, median and quartiles', 'histogram'])
  assert.deepEqual(text.titles.slice(0, 1), ['Sepals of irises'])
  for (const field of ['Sepal', 'Species', 'Region', 'Petal'])
    assert.ok(text.fields.includes(field))
  assert.ok(text.features.includes('subplots, small multiples'))
})

test('reads MATLAB and Julia', () => {
  const matlab = read("% Growth of cells\nsemilogy(t, n)\nxlabel('Time (h)')\nylabel('Cells')")
  assert.deepEqual(matlab.charts, ['line chart, logarithmic axis'])
  assert.deepEqual(matlab.titles, ['Time (h)', 'Cells'])
  assert.deepEqual(matlab.comments, ['Growth of cells'])
  const julia = read('using Plots\nhistogram(x, xlabel = "Delay", title = "Flights")')
  assert.deepEqual(julia.charts, ['histogram'])
  assert.deepEqual(julia.titles, ['Delay', 'Flights'])
})

test('reads notebooks: code, and notes as comments', () => {
  const notebook = {
    cells: [
      { cell_type: 'markdown', source: ['# Delays of flights'] },
      { cell_type: 'code', source: ['plt.hist(x)\n', 'plt.xlabel("Delay")'], outputs: ['secret'] },
    ],
  }
  const text = read(JSON.stringify(notebook))
  assert.deepEqual(text.comments, ['Delays of flights'])
  assert.deepEqual(text.charts, ['histogram'])
  assert.deepEqual(text.titles, ['Delay'])
})

test('reads figures of Plotly', () => {
  const figure = {
    data: [
      { type: 'bar', name: 'Women', x: ['Monday', 'Tuesday'], y: [1, 2] },
      { type: 'scatter', mode: 'lines', y: [1] },
      { type: 'constructor' },
    ],
    layout: { title: { text: 'Visits' }, xaxis: { title: 'Day' }, barmode: 'stack' },
  }
  const text = read(JSON.stringify(figure))
  assert.deepEqual(text.charts, ['bar chart', 'line chart', 'constructor', 'stacked bar chart'])
  assert.deepEqual(text.titles, ['Women', 'Visits', 'Day'])
  assert.deepEqual(text.values, ['Monday', 'Tuesday'])
})

test('other JSON gives its keys and texts', () => {
  const text = read('{"sampleName": "liver", "runs": [{"doseLevel": "high"}]}')
  assert.deepEqual(text.fields, ['sample Name', 'runs', 'dose Level'])
  assert.deepEqual(text.values, ['liver', 'high'])
})

test('binary, empty, damaged and huge texts are harmless', () => {
  const nothing = read('\u{0}\u{1}\u{2}ELF plt.hist()')
  assert.deepEqual(nothing.charts, [])
  assert.deepEqual(read('').charts, [])
  assert.deepEqual(read('{"mark": "bar", plt.hist(x)').charts, ['histogram'])
  for (const text of ['"', "\\'", '"""', '((((', 'a"', '#', '{"a":[', 'xlabel("']) {
    readCode(text.repeat(200_000 / text.length), 200_000)
  }
  const late = `${' '.repeat(300_000)}plt.hist(x)`
  assert.deepEqual(read(late).charts, [])
})
