import ArgumentParser

/// Completion script for bash: that of ArgumentParser with an addition. The scripts for zsh and fish are not changed.
///
/// Bash ends a word at each “@”, “:” and “=”, so that `root@host` and `--to=host` are three. The added function joins
/// such words or removes the “=”, calls the script's own function, and then removes the part before such a character
/// from the results, since bash replaces only the part after it.
enum CompletionScript {
    /// - Parameter words: words after the program's name.
    /// - Returns: the script if the words request that for bash; else nil.
    static func asked(by words: [String]) -> String? {
        let asks = words == ["--generate-completion-script", "bash"] || words == ["--generate-completion-script=bash"]
        return asks ? bash : nil
    }

    private static var bash: String {
        let script = Root.completionScript(for: .bash)
        let registration = "complete -o filenames -F _portolan portolan"
        guard script.hasSuffix(registration) else { return script }
        return script.dropLast(registration.count) + joining
    }

    private static let joining = #"""
        __portolan_joined() {
            local line="${COMP_LINE}" word=""
            local -a words=()
            local -i index
            for ((index = 0; index <= COMP_CWORD; index++)); do
                word="${COMP_WORDS[index]}"
                if ((index == 0)) || [[ "${line}" = [[:space:]]* ]]; then
                    words+=("${word}")
                elif [[ "${word}" = =* && "${words[${#words[@]} - 1]}" = --* ]]; then
                    words+=("${word#=}")
                else
                    words[${#words[@]} - 1]+="${word}"
                fi
                line="${line#*"${word}"}"
            done

            # The word up to the cursor; without a quotation mark that is still open.
            local current="${words[${#words[@]} - 1]}"
            local -i behind="$((${#COMP_LINE} - ${#line} - COMP_POINT))"
            ((behind <= 0 || behind > ${#current})) || current="${current:0:${#current} - behind}"
            case "${current}" in \'* | \"*) current="${2}" ;; esac

            COMP_WORDS=("${words[@]}" "${COMP_WORDS[@]:COMP_CWORD + 1}")
            COMP_CWORD="$((${#words[@]} - 1))"
            _portolan "${1}" "${current}" "${words[COMP_CWORD - 1]}"

            # Names are no files: a word that is no file and needs no quotes gets none, so that a team stays “@acme”.
            local -r before="${current%"${2}"}"
            local is_plain=true
            for index in "${!COMPREPLY[@]}"; do
                if [[ -e "${COMPREPLY[index]}" || "${COMPREPLY[index]}" = *[!A-Za-z0-9@._:/-]* ]]; then is_plain=false; fi
                COMPREPLY[index]="${COMPREPLY[index]#"${before}"}"
            done
            if "${is_plain}"; then compopt +o filenames 2>/dev/null; fi
            # Behind these the word goes on.
            if ((${#COMPREPLY[@]} == 1)) && [[ "${COMPREPLY[0]}" = *[:-] ]]; then compopt -o nospace 2>/dev/null; fi
            return 0
        }

        complete -o filenames -F __portolan_joined portolan
        """#
}
