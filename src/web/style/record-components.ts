/** Styles of pages about works and people: the first view of a page, texts of users, pictures. */
export const WORKS = `
.hero { display: grid; grid-template-columns: minmax(9rem, 13rem) minmax(0, 1fr); gap: var(--space-5) var(--space-6);
  align-items: start; margin-bottom: var(--space-5); }
.hero h1 { margin-bottom: var(--space-2); }
.hero .text { margin-top: var(--space-4); } .hero .text > :last-child { margin-bottom: 0; }
.hero .chips { margin: var(--space-4) 0 0; }
.big-rating { display: flex; flex-wrap: wrap; align-items: baseline; gap: 0 var(--space-4); margin-bottom: var(--space-2); }
@media (max-width: 39.99rem) {
  .hero { grid-template-columns: 7.5rem minmax(0, 1fr); gap: var(--space-1) var(--space-4); }
  .hero > .content { display: contents; }
  .hero .below { grid-column: 1 / -1; }
  .hero h1 { font-size: 1.5rem; }
  .hero .rating.big b { font-size: 2rem; }
}
.text, .entries, .prose { max-width: var(--reading); }
.prose { font-size: 1.0625rem; }
.prose blockquote { margin-left: 0; padding-left: var(--space-4); border-left: 3px solid var(--seal); color: var(--soft); }
.prose img { display: block; max-width: 100%; height: auto; margin: var(--space-4) 0; border-radius: var(--radius-cover); }
.prose figure { margin: var(--space-5) 0; } .prose figure img { margin: 0; }
.prose figure.centre { text-align: center; } .prose figure.centre img { margin: 0 auto; }
.prose figure.left { float: left; max-width: 50%; margin: 0 var(--space-5) var(--space-3) 0; }
.prose figure.right { float: right; max-width: 50%; margin: 0 0 var(--space-3) var(--space-5); }
.prose + .soft { margin-top: var(--space-4); }
.prose::after { content: ''; display: block; clear: both; }
figcaption { color: var(--soft); font-size: var(--text-s); margin-top: var(--space-2); }
.entries { list-style: none; padding: 0; }
.entries > li { padding: var(--space-4) 0; border-top: 1px solid var(--line); }
.entries > li:first-child { border-top: 0; padding-top: 0; }
.entries h3 { margin: 0 0 var(--space-2); }
.entries h3 a { color: inherit; text-decoration: none; } .entries h3 a:hover { text-decoration: underline; }
.entries p { margin-bottom: var(--space-1); }
.byline { display: flex; flex-wrap: wrap; align-items: center; gap: var(--space-1) var(--space-2); font-size: var(--text-s); }
.catalog summary { cursor: pointer; }
.search-page form.search { max-width: var(--reading); margin-bottom: var(--space-5); }
.shelf { grid-template-columns: repeat(auto-fill, minmax(5.5rem, 1fr)); }
@media (min-width: 40.01rem) { .shelf { grid-template-columns: repeat(auto-fill, minmax(7rem, 1fr)); } }
.row { display: grid; grid-auto-flow: column; grid-auto-columns: minmax(8.5rem, 1fr); gap: var(--space-4); overflow-x: auto;
  list-style: none; padding: 0 0 var(--space-3); scroll-snap-type: x proximity; }
.row > li { scroll-snap-align: start; max-width: 11rem; }
.ranks { list-style: none; padding: 0; max-width: 50rem; }
.ranks > li { display: grid; grid-template-columns: 2.5rem 4.5rem minmax(0, 1fr); gap: var(--space-4); align-items: center;
  padding: var(--space-3) 0; border-top: 1px solid var(--line); }
.ranks .rank { font: 600 var(--text-2xl)/1 var(--font-title); color: var(--soft); text-align: end; font-variant-numeric: lining-nums; }
.ranks h2 { font-size: var(--text-l); margin: 0; } .ranks h2 a { color: inherit; text-decoration: none; }
.ranks h2 a:hover { text-decoration: underline; } .ranks p { margin: 0; font-size: .9375rem; color: var(--soft); }
.events { list-style: none; padding: 0; display: grid; gap: var(--space-4); grid-template-columns: repeat(auto-fill, minmax(20rem, 1fr)); }
@media (max-width: 24rem) { .events { grid-template-columns: minmax(0, 1fr); } }
.events > li > a { display: grid; grid-template-columns: 6rem minmax(0, 1fr); gap: var(--space-4); color: inherit; text-decoration: none; }
.events .title { font: 600 1rem/1.35 var(--font-title); display: block; } .events a:hover .title { text-decoration: underline; }
.events .by { display: block; font-size: var(--text-s); color: var(--soft); }
.filters { display: grid; gap: var(--space-2); margin-bottom: var(--space-5); }
.filters nav { display: flex; flex-wrap: wrap; gap: var(--space-1) var(--space-2); }
.filters a { padding: .15rem .75rem; border-radius: 1rem; color: var(--ink); text-decoration: none; }
.filters a:hover { background: var(--tint); } .filters a[aria-current] { background: var(--ink); color: var(--paper); }
.events .by b { font-weight: 600; color: var(--ink); }
.photo-page { text-align: center; } .photo-page img { width: 100%; max-width: 50rem; max-height: 80vh;
  aspect-ratio: auto 16 / 9; object-fit: contain; border-radius: var(--radius-cover); }
.person { display: flex; gap: var(--space-5); align-items: center; margin-bottom: var(--space-5); } .person h1, .person p { margin: 0; }
.users { display: flex; flex-wrap: wrap; gap: var(--space-3) var(--space-5); list-style: none; padding: 0; }
.users a { display: flex; align-items: center; gap: var(--space-2); color: inherit; text-decoration: none; }
math { font-size: 1.1em; } math[display=block] { overflow-x: auto; overflow-y: hidden; padding: var(--space-2) 0; }
`;
