// SPDX-License-Identifier: MIT
// Markdown of the manual to HTML: formulas as MathML, headings with the anchors that GitHub gives them, blocks of code in colours.
import { Marked } from 'marked';
import katex from 'katex';

export const escape = (text) => String(text).replace(/[&<>"]/g, (c) => ({ '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' })[c]);

const WORDS = {
  modelica: `algorithm and annotation block break class connect connector constant constrainedby der discrete each else elseif elsewhen encapsulated end
    enumeration equation expandable extends external false final flow for function if import in initial inner input loop model not operator or outer
    output package parameter partial protected public record redeclare replaceable return stream then true type when while within`,
  c: `break case char const continue default do double else enum extern float for if int long return short signed sizeof static struct switch typedef
    union unsigned void while bool true false NULL`,
  python: 'and as assert break class continue def del elif else except False for from if import in is lambda None not or pass raise return True try while with yield',
  sh: 'cd export for do done if then else fi',
};
const COMMENT = { modelica: /\/\/[^\n]*/, c: /\/\/[^\n]*/, python: /#[^\n]*/, sh: /#[^\n]*/ };

function colour(code, language) {
  if (!WORDS[language]) return escape(code);
  const words = new Set(WORDS[language].split(/\s+/)), parts = new RegExp(`(${COMMENT[language].source})|("(?:[^"\\\\]|\\\\.)*")|([A-Za-z_]\\w*)`, 'g');
  let html = '', last = 0;
  for (const m of code.matchAll(parts)) {
    const kind = m[1] ? 'comment' : m[2] ? 'text' : words.has(m[3]) ? 'word' : '';
    html += escape(code.slice(last, m.index)) + (kind ? `<span class="${kind}">${escape(m[0])}</span>` : escape(m[0]));
    last = m.index + m[0].length;
  }
  return html + escape(code.slice(last));
}

export const codeBlock = (code, language = '') => `<pre class="code"><code>${colour(code.replace(/\n$/, ''), language.split(' ')[0])}</code></pre>\n`;

const formula = (tex, display) => katex.renderToString(tex, { output: 'mathml', displayMode: display, throwOnError: true, strict: 'ignore' });
const formulas = {
  extensions: [
    { name: 'display', level: 'block', start: (s) => s.match(/\$\$/)?.index,
      tokenizer: (s) => { const m = s.match(/^\$\$([\s\S]+?)\$\$/); return m && { type: 'display', raw: m[0], tex: m[1] }; },
      renderer: (t) => `<div class="formula">${formula(t.tex, true)}</div>\n` },
    { name: 'inline', level: 'inline', start: (s) => s.match(/\$/)?.index,
      tokenizer: (s) => { const m = s.match(/^\$([^$\s](?:[^$\n]|\n(?!\n))*?)\$(?!\w)/); return m && { type: 'inline', raw: m[0], tex: m[1] }; },
      renderer: (t) => formula(t.tex, false) },
  ],
};

// As GitHub makes it of a heading.
export const anchorOf = (text) => text.toLowerCase().replace(/<[^>]+>|&[a-z]+;/g, '').replace(/[^\p{L}\p{N}\s_-]/gu, '').trim().replace(/\s/g, '-');

// {title, html, sections: [{anchor, heading, text}]}; link(href) says where a link leads on the site.
export function render(text, link) {
  const sections = [{ anchor: '', heading: '', text: '' }], seen = new Map();
  let title = '';
  const plain = (html) => html.replace(/<[^>]+>/g, '').replace(/&#39;/g, "'").replace(/&quot;/g, '"').replace(/&lt;/g, '<').replace(/&gt;/g, '>').replace(/&amp;/g, '&');
  const marked = new Marked(formulas, { gfm: true, renderer: {
    heading({ tokens, depth }) {
      const html = this.parser.parseInline(tokens), base = anchorOf(plain(html)), n = seen.get(base) ?? 0;
      seen.set(base, n + 1);
      if (depth === 1 && !title) { title = plain(html); return `<h1>${html}</h1>\n`; }
      const anchor = n ? `${base}-${n}` : base;
      sections.push({ anchor, heading: plain(html), text: '' });
      return `<h${depth} id="${anchor}">${html} <a class="anchor" href="#${anchor}" aria-label="link to this section">#</a></h${depth}>\n`;
    },
    code({ text: code, lang }) { sections.at(-1).text += ` ${code}`; return codeBlock(code, lang); },
    paragraph({ tokens }) { const html = this.parser.parseInline(tokens); sections.at(-1).text += ` ${plain(html)}`; return `<p>${html}</p>\n`; },
    listitem(item) { const html = this.parser.parse(item.tokens, item.loose); sections.at(-1).text += ` ${plain(html)}`; return `<li>${html}</li>\n`; },
    tablecell({ tokens, header, align }) {
      const html = this.parser.parseInline(tokens), tag = header ? 'th' : 'td';
      sections.at(-1).text += ` ${plain(html)}`;
      return `<${tag}${align ? ` style="text-align:${align}"` : ''}>${html}</${tag}>`;
    },
    link({ href, tokens }) { return `<a href="${escape(link(href))}">${this.parser.parseInline(tokens)}</a>`; },
    image({ href, text: alt }) { return `<img src="${escape(link(href))}" alt="${escape(alt)}" loading="lazy">`; },
  } });
  const html = marked.parse(text).replace(/<table>/g, '<div class="wide"><table>').replace(/<\/table>/g, '</table></div>');
  return { title, html, sections };
}
