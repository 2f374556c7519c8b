/// How the report looks.
enum HTMLStyle {
    static let sheet = """
        :root { --ink: #1d2026; --soft: #68707d; --line: #d9dde4; --paper: #fff; --wash: #f6f7f9;
          --blank: #d6403a; --degraded: #f2b84b; --offset: #3d6fd9; --late: #7a1fa2;
          --cameo: #1a7f5a; --queue: #c2571a; --naive: #8a8f98; --table: #3d6fd9; }
        @media (prefers-color-scheme: dark) { :root { --ink: #e7e9ee; --soft: #9aa3b2; --line: #383d47;
          --paper: #16181d; --wash: #1e2127; --offset: #7fa5f5; --cameo: #45c492; --queue: #f08a4b; --late: #ce83e6; } }
        * { box-sizing: border-box }
        body { margin: 0; background: var(--paper); color: var(--ink); font: 15px/1.5 system-ui, sans-serif }
        main { max-width: 1180px; margin: 0 auto; padding: 32px 24px 64px }
        h1 { font-size: 28px; margin: 0 0 8px } h2 { font-size: 21px; margin: 44px 0 6px;
          border-top: 1px solid var(--line); padding-top: 18px } h3 { font-size: 16px; margin: 26px 0 4px }
        .lead { max-width: 760px; font-size: 16px } .meta, .legend { color: var(--soft); font-size: 13px }
        .charts { display: grid; grid-template-columns: repeat(auto-fill, minmax(500px, 1fr)); gap: 10px 24px }
        svg { width: 100%; height: auto; font: 11px system-ui, sans-serif; fill: var(--ink) }
        .head { font-weight: 600; font-size: 12px } .tick { fill: var(--soft) }
        .end { text-anchor: end } .middle { text-anchor: middle }
        .frame { fill: var(--wash); stroke: var(--line) } .grid { stroke: var(--line) }
        svg .blank { fill: var(--blank) } svg .degraded { fill: var(--degraded) }
        svg .offset { fill: none; stroke: var(--offset); stroke-width: 1.5 } svg .late { stroke: var(--late); stroke-width: 1.5 }
        .curve { fill: none; stroke-width: 2; stroke: var(--soft) } .bar { fill: var(--soft) } .spread { stroke: var(--ink) }
        .curve.e-cameo { stroke: var(--cameo) } .bar.e-cameo { fill: var(--cameo) } .curve.e-queue { stroke: var(--queue) }
        .curve.e-naive { stroke: var(--naive) } .curve.e-table { stroke: var(--table); stroke-dasharray: 5 3 }
        .key { display: inline-block; width: 14px; height: 10px; margin: 0 4px 0 14px; border-radius: 2px; background: var(--soft) }
        .key:first-child { margin-left: 0 }
        .key.blank { background: var(--blank) } .key.degraded { background: var(--degraded) }
        .key.offset { background: var(--offset); height: 3px; vertical-align: middle }
        .key.late { background: var(--late); width: 3px } .key.e-cameo { background: var(--cameo) }
        .key.e-queue { background: var(--queue) } .key.e-naive { background: var(--naive) } .key.e-table { background: var(--table) }
        .wide { overflow-x: auto } table { border-collapse: collapse; font-size: 13px; margin: 8px 0; width: 100% }
        th, td { text-align: right; padding: 4px 8px; border-bottom: 1px solid var(--line); white-space: nowrap;
          font-variant-numeric: tabular-nums; vertical-align: top }
        th { font-weight: 600; color: var(--soft) } small { display: block; font-weight: 400; color: var(--soft); font-size: 11px }
        .word { text-align: left } td.met { color: var(--cameo); font-weight: 600; text-align: left }
        td.missed { color: var(--blank); font-weight: 600; text-align: left } .targets { width: auto }
        pre { overflow-x: auto; font-size: 12px } summary { cursor: pointer; color: var(--soft) }
        """
}
