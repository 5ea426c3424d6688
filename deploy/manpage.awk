# Makes a man page of the help that fount and fountd print. A line "== TITLE" before a subcommand's help makes that a
# section. Variables: name, section, what (its one line), see (other pages), version, date.

function escape(s) {
    gsub(/\\/, "\\e", s)
    gsub(/-/, "\\-", s)
    return s ~ /^[.']/ ? "\\&" s : s
}

# put prints s. The description comes first in a help, and after the synopsis in a page.
function put(s) {
    if (early) description = description s "\n"
    else print s
}

# mode changes between text, rows and literal lines.
function mode(m) {
    if (m == now) return
    if (now == "literal") put(".EE")
    if (m == "literal") put(".EX")
    now = m
}

function flush() {
    if (description != "") printf ".SH DESCRIPTION\n%s", description
    description = ""
}

function heading(s) {
    mode("")
    early = 0
    if (s == "Flags") s = "Options"
    if (s == "Usage" && !sub_) s = "Synopsis"
    if (s != "Synopsis") flush()
    print (sub_ ? ".SS " s : ".SH " toupper(s))
    kind = s ~ /^(Synopsis|Usage|Examples|Defaults)$/ ? "literal" : "rows"
}

BEGIN {
    printf ".TH %s %s %s \"fount %s\"\n", toupper(name), section, date, version
    printf ".SH NAME\n%s \\- %s\n", name, escape(what)
    early = 1
}

/^== / {
    mode("")
    sub_ = 1
    print ".SH " toupper(substr($0, 4))
    kind = ""
    next
}

/^[A-Z][a-z]+( [a-z]+)*:$/ { heading(substr($0, 1, length($0) - 1)); next }

/^$/ { mode(""); gap = 1; next }

/^[^ ]/ {
    mode("")
    if (gap) put(".PP")
    gap = 0
    put(escape($0))
    next
}

kind == "literal" { mode("literal"); put(escape(substr($0, 3))); next }

/^  (    )?[^ \t]/ { # a row: what stands left, two or more spaces, what it means
    sub(/^ +/, "")
    column = match($0, /  /)
    put(".TP\n.B " escape(column ? substr($0, 1, column - 1) : $0))
    if (!column) next
    $0 = substr($0, column)
}

{ sub(/^[ \t]+/, ""); put(escape($0)); gap = 0 }

END {
    mode("")
    flush()
    if (see) print ".SH SEE ALSO\n" see
}
