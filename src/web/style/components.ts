/** Styles of the components in `web/components.ts` and `web/works.ts`. */
export const COMPONENTS = `
p.note, div.note, p.error, p.good, p.warn, div.error, div.good, div.warn { margin: 0 0 var(--space-4); border-left: 4px solid var(--line); padding: var(--space-3) var(--space-4);
  background: var(--tint); border-radius: 0 var(--radius) var(--radius) 0; }
div.note p, div.error p, div.good p, div.warn p { margin: .25rem 0; }
p.error, div.error { border-color: var(--danger); background: var(--danger-tint); }
p.good, div.good { border-color: var(--good); background: var(--good-tint); }
p.warn, div.warn { border-color: var(--warn); background: var(--warn-tint); }
ul.plain { list-style: none; padding: 0; }
ul.plain > li { border-top: 1px solid var(--line); padding: var(--space-4) 0; }
.table { overflow-x: auto; margin-bottom: var(--space-4); }
table { border-collapse: collapse; width: 100%; min-width: 34rem; font-size: .9375rem; }
table.narrow { min-width: 0; }
caption { text-align: start; color: var(--soft); padding-bottom: var(--space-2); }
th, td { overflow-wrap: break-word; text-align: start; vertical-align: top; padding: var(--space-2) var(--space-4) var(--space-2) 0;
  border-bottom: 1px solid var(--line); }
th { font-weight: 600; color: var(--soft); }
td.number, th.number { text-align: end; font-variant-numeric: tabular-nums; }
dl { display: grid; grid-template-columns: minmax(6rem, max-content) minmax(0, 1fr); gap: var(--space-1) var(--space-5); }
dt { color: var(--soft); } dd { margin: 0; }
@media (max-width: 30rem) { main:not(.wide) dl { grid-template-columns: minmax(0, 1fr); }
  main:not(.wide) dd { margin-bottom: var(--space-2); } }
.badge { display: inline-block; font: 600 .8125rem/1.4 var(--font-text); padding: .1rem .5rem; border-radius: 1rem;
  background: var(--tint); color: var(--ink); white-space: nowrap; }
.badge.good { background: var(--good-tint); color: var(--good); }
.badge.warn { background: var(--warn-tint); color: var(--warn); }
.badge.danger { background: var(--danger-tint); color: var(--danger); }
.chips { display: flex; flex-wrap: wrap; gap: var(--space-2); list-style: none; padding: 0; }
.chips li > a, .chips li > span { display: block; padding: .15rem .75rem; border-radius: 1rem; background: var(--tint); color: var(--ink);
  text-decoration: none; font-size: .9375rem; }
.chips a:hover { box-shadow: inset 0 0 0 1px var(--edge); }
.chips small { color: var(--soft); }
.tabs { display: flex; flex-wrap: wrap; gap: 0 var(--space-5); list-style: none; padding: 0; margin-bottom: var(--space-5);
  border-bottom: 1px solid var(--line); }
.tabs a { display: block; padding: var(--space-2) 0; margin-bottom: -1px; color: var(--soft); text-decoration: none;
  border-bottom: 3px solid transparent; }
.tabs a:hover { color: var(--ink); border-color: var(--line); }
.tabs a[aria-current] { color: var(--ink); font-weight: 600; border-color: var(--seal); }
.tabs small { font-weight: 400; color: var(--soft); }
.bars { margin-bottom: var(--space-4); }
.pages { display: flex; flex-wrap: wrap; align-items: baseline; gap: var(--space-4); margin: var(--space-6) 0 var(--space-4); }
.pages a { padding: .35rem 1rem; border: 1px solid var(--edge); border-radius: var(--radius); text-decoration: none; }
.crumbs { font-size: var(--text-s); color: var(--soft); margin-bottom: var(--space-3); }
.crumbs a { color: inherit; }
.stats { display: grid; grid-template-columns: repeat(auto-fit, minmax(8rem, 1fr)); gap: var(--space-4); }
.stats > div { display: flex; flex-direction: column-reverse; justify-content: flex-end; padding: var(--space-4); background: var(--surface); border: 1px solid var(--line);
  border-radius: var(--radius); }
.stats dd { font: 600 var(--text-2xl)/1.2 var(--font-title); font-variant-numeric: lining-nums; }
.stats dt { font-size: var(--text-s); }
.hours { margin: 0 0 var(--space-4); font-size: var(--text-s); }
.hours svg { display: block; width: 100%; height: 8rem; border: solid var(--line); border-width: 1px 0; }
.hours path.accepted { fill: var(--accent); } .hours path.rejected { fill: var(--danger); }
.hours .days { display: flex; justify-content: space-between; }
.key { display: inline-block; width: .75em; height: .75em; border-radius: .2em; }
.key.accepted { background: var(--accent); } .key.rejected { background: var(--danger); margin-left: var(--space-3); }
.empty { padding: var(--space-6); text-align: center; color: var(--soft); border: 1px dashed var(--edge); border-radius: var(--radius); }
.empty p { margin: 0 0 var(--space-2); } .empty { margin-bottom: var(--space-4); }
.section-head { display: flex; flex-wrap: wrap; align-items: baseline; gap: 0 var(--space-4);
  margin: var(--space-7) 0 var(--space-3); }
.section-head h2 { margin: 0; }
.section-head a { font-size: .9375rem; }
.grid { display: grid; grid-template-columns: repeat(auto-fill, minmax(9.5rem, 1fr)); gap: var(--space-5) var(--space-4);
  list-style: none; padding: 0; }
@media (max-width: 30rem) { .grid { grid-template-columns: repeat(auto-fill, minmax(6rem, 1fr)); gap: var(--space-4) var(--space-3); }
  .card .title { font-size: .9rem; } }
.grid.large { grid-template-columns: repeat(auto-fill, minmax(15rem, 1fr)); }
.grid.six { grid-template-columns: repeat(3, minmax(0, 1fr)); }
@media (min-width: 40rem) { .grid.six { grid-template-columns: repeat(6, minmax(0, 1fr)); } }
.grid > li { min-width: 0; }
.card { display: block; }
.card > a { display: block; color: inherit; text-decoration: none; }
.card .title { display: block; font: 600 .9875rem/1.35 var(--font-title); margin-top: var(--space-2); }
.card .title { text-wrap: balance; } .card > a:hover .title { text-decoration: underline; }
.card .by { display: block; font-size: var(--text-s); line-height: 1.4; color: var(--soft); }
.cover { display: block; width: 100%; height: auto; object-fit: cover; background: var(--tint); border-radius: var(--radius-cover);
  box-shadow: var(--shade); }
span.cover { overflow: hidden; padding: var(--space-2); font-size: var(--text-s); color: var(--soft); }
.cover.book { aspect-ratio: 316 / 454; } .cover.poster { aspect-ratio: 288 / 465; }
.cover.event { aspect-ratio: 400 / 574; } .cover.portrait { aspect-ratio: 7 / 10; } .cover.photo { aspect-ratio: 16 / 9; }
.avatar { width: 3rem; height: 3rem; border-radius: 50%; object-fit: cover; background: var(--tint); flex: none; }
.avatar.small { width: 1.75rem; height: 1.75rem; } .avatar.large { width: 6rem; height: 6rem; }
.stars { display: inline-block; font-size: 1em; line-height: 1; letter-spacing: .05em; white-space: nowrap;
  font-family: 'Segoe UI Symbol', 'Noto Sans Symbols 2', 'Apple Symbols', 'DejaVu Sans', sans-serif; color: var(--star); }
.stars .half { position: relative; } .stars .half::before { content: '★'; position: absolute; inset: 0 50% 0 0; overflow: hidden; }
.rating { display: inline-flex; align-items: baseline; gap: .4em; white-space: nowrap; }
.rating b { font: 600 1.05em/1 var(--font-title); font-variant-numeric: lining-nums tabular-nums; }
.rating.big b { font-size: 2.75rem; }
.bars { display: grid; grid-template-columns: max-content minmax(0, 1fr) max-content; gap: .15rem var(--space-3);
  align-items: center; font-size: var(--text-s); max-width: 20rem; }
.bars dt { color: var(--star); } .bars dd { font-variant-numeric: tabular-nums; text-align: end; color: var(--soft); }
.bars meter { width: 100%; height: .6rem; border: 0; background: var(--tint); border-radius: 1rem; appearance: none; overflow: hidden; }
.bars meter::-webkit-meter-bar { background: var(--tint); border: 0; height: .6rem; border-radius: 1rem; }
.bars meter::-webkit-meter-optimum-value { background: var(--star-fill); border-radius: 1rem; }
.bars meter::-moz-meter-bar { background: var(--star-fill); }
@media print {
  :root { color-scheme: light; --ink: #000; --surface: #fff; --tint: #fff; --soft: #444; --line: #bbb; --edge: #888;
    --accent: #000; --star: #6b4508; --star-fill: #6b4508; --seal: #666; --shade: none; }
  header.site nav, header.site .search, header.site .session, footer.site nav, .skip, nav.side, form, .pages { display: none; }
  body { background: #fff; color: #000; font-size: 11pt; } main { padding: 0; max-width: none; }
  .with-side { display: block; } a { color: inherit; } .card, figure, blockquote, li { break-inside: avoid; }
}
`;
